package io.gpureclaimer.exporter.web;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A private key in PEM: PKCS #8, and the older forms of RSA (PKCS #1) and of elliptic curves (SEC
 * 1), which openssl and Helm write and Java does not read. Those two are wrapped in a PKCS #8
 * envelope.
 */
final class PrivateKeyPem {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]*)-----END");

  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final int LONG_FORM = 0x80;
  private static final int ONE_BYTE = 0xff;
  private static final int BITS_OF_A_BYTE = 8;

  /** Version 0. */
  private static final byte[] VERSION = {0x02, 0x01, 0x00};

  /** The algorithm rsaEncryption, without parameters. */
  private static final byte[] RSA = {
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  /** The object identifier id-ecPublicKey. */
  private static final byte[] EC = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
  };

  /** The curves that certificates have, as object identifiers. */
  private static final List<byte[]> CURVES =
      List.of(
          new byte[] {0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x03, 0x01, 0x07},
          new byte[] {0x06, 0x05, 0x2b, (byte) 0x81, 0x04, 0x00, 0x22},
          new byte[] {0x06, 0x05, 0x2b, (byte) 0x81, 0x04, 0x00, 0x23});

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private PrivateKeyPem() {}

  /**
   * Reads the first key of a text.
   *
   * @param named what messages call the text
   */
  static PrivateKey read(String named, String text) {
    Matcher block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new InvalidWebConfig(named + " has no private key in PEM");
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(block.group(2));
    } catch (IllegalArgumentException _) {
      throw new InvalidWebConfig(named + " has a private key that is not base 64");
    }
    return switch (block.group(1)) {
      case "RSA PRIVATE KEY" -> decode(named, envelope(RSA, der));
      case "EC PRIVATE KEY" -> decode(named, envelope(curve(named, der), der));
      case "ENCRYPTED PRIVATE KEY" ->
          throw new InvalidWebConfig(named + " must have a private key that is not encrypted");
      default -> decode(named, der);
    };
  }

  private static PrivateKey decode(String named, byte[] pkcs8) {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException _) {
        // Of another algorithm, or of none.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this JVM has no " + algorithm, e);
      }
    }
    throw new InvalidWebConfig(
        named + " must have a private key of " + String.join(", ", ALGORITHMS) + ", has none");
  }

  private static byte[] envelope(byte[] algorithm, byte[] key) {
    return tagged(SEQUENCE, VERSION, algorithm, tagged(OCTET_STRING, key));
  }

  /** SEC 1 has the curve inside the key, PKCS #8 wants it outside. */
  private static byte[] curve(String named, byte[] key) {
    for (byte[] curve : CURVES) {
      if (contains(key, curve)) {
        return tagged(SEQUENCE, EC, curve);
      }
    }
    throw new InvalidWebConfig(named + " must have a key on the curve P-256, P-384 or P-521");
  }

  private static boolean contains(byte[] all, byte[] part) {
    for (int at = 0; at + part.length <= all.length; at++) {
      if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    var whole = new ByteArrayOutputStream();
    whole.write(tag);
    writeLength(content.size(), whole);
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }

  private static void writeLength(int length, ByteArrayOutputStream into) {
    if (length < LONG_FORM) {
      into.write(length);
      return;
    }
    int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / BITS_OF_A_BYTE;
    into.write(LONG_FORM | bytes);
    for (int at = bytes - 1; at >= 0; at--) {
      into.write(length >> (at * BITS_OF_A_BYTE) & ONE_BYTE);
    }
  }
}
