package io.gpureclaimer.common.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpureclaimer.common.trust.AuthoritiesFile.NoAuthorities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthoritiesFileTest {
  @TempDir private Path folder;

  @Test
  void trustsThoseOfTheFileAndNoOther() throws Exception {
    Path file = written(make("one").pem() + make("two").pem());

    assertThat(names(new AuthoritiesFile(file).now()))
        .containsExactlyInAnyOrder("CN=one", "CN=two");
  }

  @Test
  void givesTheSameObject_whileTheFileSaysTheSame() throws Exception {
    String pem = make("one").pem();
    var authorities = new AuthoritiesFile(written(pem));
    X509ExtendedTrustManager first = authorities.now();

    written(pem);

    assertThat(authorities.now()).isSameAs(first);
  }

  @Test
  void followsTheFile_whenItIsReplaced() throws Exception {
    var authorities = new AuthoritiesFile(written(make("one").pem()));
    assertThat(names(authorities.now())).containsExactly("CN=one");

    written(make("two").pem());

    assertThat(names(authorities.now())).containsExactly("CN=two");
  }

  @Test
  void trustsNoAuthority_whenTheFileHoldsNoCertificate() throws IOException {
    Path empty = written("");
    refuses(empty, "expected CA certificates in " + empty + ", found none");

    Path missing = folder.resolve("missing");
    refuses(missing, "expected CA certificates in " + missing + ", found no such file");
  }

  @Test
  void neverRepeatsWhatTheFileHolds() throws IOException {
    var authorities =
        new AuthoritiesFile(
            written("-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n"));

    assertThatExceptionOfType(NoAuthorities.class)
        .isThrownBy(authorities::now)
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("c2VjcmV0"));
  }

  private static void refuses(Path file, String message) {
    assertThatExceptionOfType(NoAuthorities.class)
        .isThrownBy(() -> new AuthoritiesFile(file).now())
        .withMessage(message);
  }

  private Authority make(String name) throws IOException, InterruptedException {
    return Authority.make(folder, name);
  }

  private Path written(String pem) throws IOException {
    return Files.writeString(folder.resolve("ca.crt"), pem);
  }

  private static Stream<String> names(X509ExtendedTrustManager trusting) {
    return Arrays.stream(trusting.getAcceptedIssuers())
        .map(X509Certificate::getSubjectX500Principal)
        .map(Object::toString);
  }
}
