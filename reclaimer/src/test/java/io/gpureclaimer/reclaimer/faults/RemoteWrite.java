package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Collection;
import java.util.Map;

/**
 * The body of a remote write, by hand: a WriteRequest in protobuf, in a snappy block of literals
 * alone, which is larger than need be and as valid as any.
 */
final class RemoteWrite {
  private static final int LITERAL_OF_UP_TO_64_KIB = 61 << 2;
  private static final int LONGEST_LITERAL = 1 << 16;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_64 = 1;

  private RemoteWrite() {}

  /** One sample of one series. */
  record Written(Labels labels, long atMillis, double value) {}

  static byte[] body(Collection<Written> samples) {
    var request = new ByteArrayOutputStream();
    for (Written sample : samples) {
      field(request, 1, series(sample));
    }
    return snappy(request.toByteArray());
  }

  private static byte[] series(Written sample) {
    var series = new ByteArrayOutputStream();
    for (Map.Entry<String, String> label : sample.labels().all().entrySet()) {
      var pair = new ByteArrayOutputStream();
      field(pair, 1, label.getKey().getBytes(UTF_8));
      field(pair, 2, label.getValue().getBytes(UTF_8));
      field(series, 1, pair.toByteArray());
    }
    var point = new ByteArrayOutputStream();
    point.write(1 << 3 | FIXED_64);
    long bits = Double.doubleToRawLongBits(sample.value());
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      point.write((int) (bits >>> shift) & 0xff);
    }
    point.write(2 << 3);
    varint(point, sample.atMillis());
    field(series, 2, point.toByteArray());
    return series.toByteArray();
  }

  private static void field(ByteArrayOutputStream into, int number, byte[] value) {
    into.write(number << 3 | LENGTH_DELIMITED);
    varint(into, value.length);
    into.writeBytes(value);
  }

  private static void varint(ByteArrayOutputStream into, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      into.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    into.write((int) rest);
  }

  private static byte[] snappy(byte[] plain) {
    var block = new ByteArrayOutputStream();
    varint(block, plain.length);
    for (int start = 0; start < plain.length; start += LONGEST_LITERAL) {
      int length = Math.min(LONGEST_LITERAL, plain.length - start);
      block.write(LITERAL_OF_UP_TO_64_KIB);
      block.write((length - 1) & 0xff);
      block.write((length - 1) >>> 8);
      block.write(plain, start, length);
    }
    return block.toByteArray();
  }
}
