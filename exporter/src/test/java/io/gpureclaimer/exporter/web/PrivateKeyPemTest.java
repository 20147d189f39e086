package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpureclaimer.exporter.Certificates;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateKeyPemTest {
  /** What stands before the key in the PKCS #8 form of an RSA key of 2048 bits. */
  private static final int RSA_ENVELOPE = 26;

  private static final String P256 = "06082a8648ce3d030107";

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void readsPkcs8(String algorithm) throws Exception {
    var key = key(algorithm);

    assertThat(read(Certificates.pem("PRIVATE KEY", key.getEncoded())).getEncoded())
        .isEqualTo(key.getEncoded());
  }

  @Test
  void readsPkcs1() throws Exception {
    var key = key("RSA");
    byte[] encoded = key.getEncoded();
    byte[] pkcs1 = Arrays.copyOfRange(encoded, RSA_ENVELOPE, encoded.length);

    assertThat(read(Certificates.pem("RSA PRIVATE KEY", pkcs1))).isEqualTo(key);
  }

  @Test
  void readsSec1_alsoAfterItsParameters() throws Exception {
    var key = (ECPrivateKey) key("EC");
    String number = String.format(Locale.ROOT, "%064x", key.getS());
    byte[] sec1 = HexFormat.of().parseHex("3031" + "020101" + "0420" + number + "a00a" + P256);

    var read =
        read(
            Certificates.pem("EC PARAMETERS", HexFormat.of().parseHex(P256))
                + Certificates.pem("EC PRIVATE KEY", sec1));

    assertThat(((ECPrivateKey) read).getS()).isEqualTo(key.getS());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                                                       | K has no private key in PEM
          -----BEGIN CERTIFICATE-----AA==-----END CERTIFICATE-----      | K has no private key in PEM
          -----BEGIN PRIVATE KEY-----AA==-----END PRIVATE KEY-----      | K must have a private key of RSA, EC, EdDSA, has none
          -----BEGIN PRIVATE KEY-----A-----END PRIVATE KEY-----         | K has a private key that is not base 64
          -----BEGIN EC PRIVATE KEY-----AA==-----END EC PRIVATE KEY-----| K must have a key on the curve P-256, P-384 or P-521
          -----BEGIN ENCRYPTED PRIVATE KEY-----AA==-----END ENCRYPTED PRIVATE KEY----- | K must have a private key that is not encrypted
          """)
  void saysWhatIsWrong(String text, String problem) {
    assertThat(catchThrowableOfType(InvalidWebConfig.class, () -> read(text)).problem())
        .isEqualTo(problem);
  }

  private static PrivateKey read(String text) {
    return PrivateKeyPem.read("K", text);
  }

  private static PrivateKey key(String algorithm) throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(256);
    }
    return generator.generateKeyPair().getPrivate();
  }
}
