package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.labels.MachineFacts.VgpuHost;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The 256 bytes in which a PCI device describes itself, and what a virtual GPU says there: a
 * vendor's capability that is signed {@code VF}, with records in it.
 */
final class PciConfigSpace {
  static final int BYTES = 256;

  private static final int STATUS = 0x06;
  private static final int HAS_CAPABILITIES = 0x10;
  private static final int FIRST_CAPABILITY = 0x34;
  private static final int VENDOR_SPECIFIC = 0x09;
  private static final int SIGNATURE = 3;
  private static final int RECORDS = 5;
  private static final int HOST_DRIVER_RECORD = 0;
  private static final int TEXT = 10;
  private static final int BYTE = 0xff;

  private final byte[] bytes;

  PciConfigSpace(byte[] bytes) {
    if (bytes.length < BYTES) {
      throw new IllegalArgumentException(
          "a PCI configuration space has at least " + BYTES + " bytes, had " + bytes.length);
    }
    this.bytes = Arrays.copyOf(bytes, BYTES);
  }

  /** Empty if the device is no virtual GPU. */
  Optional<VgpuHost> vgpuHost() {
    int start = vendorCapability();
    if (start < 0) {
      return Optional.empty();
    }
    int end = Math.min(start + at(start + 2), BYTES);
    boolean signed =
        end - start >= RECORDS && at(start + SIGNATURE) == 'V' && at(start + SIGNATURE + 1) == 'F';
    return signed ? Optional.of(host(start + RECORDS, end)) : Optional.empty();
  }

  private int vendorCapability() {
    if ((at(STATUS) & HAS_CAPABILITIES) == 0) {
      return -1;
    }
    var seen = new BitSet(BYTES);
    int at = at(FIRST_CAPABILITY);
    while (at != 0 && at + 2 < BYTES && !seen.get(at)) {
      if (at(at) == VENDOR_SPECIFIC) {
        return at;
      }
      seen.set(at);
      at = at(at + 1);
    }
    return -1;
  }

  private VgpuHost host(int first, int end) {
    int at = first;
    while (at + 1 < end && at(at) != HOST_DRIVER_RECORD && at(at + 1) > 0) {
      at += at(at + 1);
    }
    if (at + 2 + 2 * TEXT > end || at(at) != HOST_DRIVER_RECORD) {
      return new VgpuHost(null, null);
    }
    return new VgpuHost(text(at + 2), text(at + 2 + TEXT));
  }

  private @Nullable String text(int start) {
    String text = new String(bytes, start, TEXT, StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\0');
    String value = (end < 0 ? text : text.substring(0, end)).strip();
    return value.isEmpty() ? null : value;
  }

  private int at(int index) {
    return bytes[index] & BYTE;
  }
}
