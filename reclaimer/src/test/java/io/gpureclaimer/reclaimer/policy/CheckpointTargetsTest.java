package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URLs are called, whatever people write. */
class CheckpointTargetsTest {
  private static final CheckpointTargets TARGETS =
      CheckpointTargets.of(
          List.of(
              ".svc.cluster.local",
              "https://hooks.example.com/gpu",
              "http://10.0.0.7:8080/saver/",
              "http://any.example.com"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://saver.ml.svc.cluster.local",
        "https://saver.ml.svc.cluster.local:8443/checkpoint",
        "http://pod-0.saver.ml.svc.cluster.local/x",
        "https://hooks.example.com/gpu",
        "https://hooks.example.com:443/gpu/ml",
        "http://10.0.0.7:8080/saver/ml",
        "http://any.example.com/whatever"
      })
  void allowsWhatIsBelowAnEntry(String url) {
    assertThat(TARGETS.allows(CheckpointUrl.parse(url).orElseThrow(), "ml")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://saver.other.svc.cluster.local",
        "http://saver.xml.svc.cluster.local",
        "http://ml.svc.cluster.local",
        "http://saver.ml.svc.cluster.local.example.com",
        "http://saver.ml.svc.cluster.localx",
        "http://hooks.example.com/gpu",
        "https://hooks.example.com/gpux",
        "https://hooks.example.com/",
        "https://hooks.example.com:8443/gpu",
        "https://evil.hooks.example.com/gpu",
        "http://10.0.0.7/saver/",
        "http://10.0.0.7:8080/saver",
        "http://169.254.169.254/latest/meta-data/",
        "http://any.example.com:81/",
        "https://any.example.com/"
      })
  void allowsNothingElse(String url) {
    assertThat(TARGETS.allows(CheckpointUrl.parse(url).orElseThrow(), "ml")).isFalse();
  }

  @Test
  void allowsNothing_byDefault() {
    assertThat(
            CheckpointTargets.NONE.allows(
                CheckpointUrl.parse("http://saver.ml.svc.cluster.local").orElseThrow(), "ml"))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "saver:8080",
        "ftp://saver/x",
        "file:///etc/passwd",
        "HTTP://saver/x",
        "http://",
        "http:///x",
        "http://user@saver/x",
        "http://user:word@saver/x",
        "http://saver/x?to=y",
        "http://saver/x#y",
        "http://saver/%2e%2e/x",
        "http://saver/a/../x",
        "http://saver\\@evil/x",
        "http://saver:0/x",
        "http://saver:65536/x",
        "http://saver:/x",
        "http://SAVER/x",
        "http://-saver/x",
        "http://saver-/x",
        "http://saver..ml/x",
        "http://256.1.1.1/",
        "http://2130706433/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://[::1]/x",
        "http://saver /x",
        "http://saver/x "
      })
  void isNoUrl(String text) {
    assertThat(CheckpointUrl.parse(text)).isEmpty();
  }

  @Test
  void isNoUrl_whenItIsTooLong() {
    assertThat(CheckpointUrl.parse("http://saver/" + "x".repeat(487))).isPresent();
    assertThat(CheckpointUrl.parse("http://saver/" + "x".repeat(488))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://saver, http://saver:80/",
    "https://saver/x, https://saver:443/x",
    "http://1.2.3.4:65535/a/b, http://1.2.3.4:65535/a/b"
  })
  void isWrittenInOneWay(String text, String whole) {
    assertThat(CheckpointUrl.parse(text).orElseThrow()).hasToString(whole);
  }

  @Test
  void isMadeFromItsEntriesAgain() {
    assertThat(CheckpointTargets.of(TARGETS.entries())).isEqualTo(TARGETS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "svc.cluster.local", ".1", "http://*.example.com/", "."})
  void refusesAnEntryThatCouldAllowAnything(String entry) {
    assertThatThrownBy(() -> CheckpointTargets.of(List.of(entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("an allowed checkpoint hook must be a URL");
  }
}
