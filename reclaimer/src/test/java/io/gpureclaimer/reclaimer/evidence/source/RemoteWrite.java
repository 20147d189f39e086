package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;

/**
 * The body of a remote write, by hand: a WriteRequest in protobuf, in a snappy block of literals
 * alone, which is larger than need be and as valid as any.
 */
public final class RemoteWrite {
  private static final int LITERAL_OF_UP_TO_64_KIB = 61 << 2;
  private static final int LONGEST_LITERAL = 1 << 16;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_64 = 1;

  private RemoteWrite() {}

  /**
   * One sample of one series.
   *
   * @param labels with the name, in their order
   */
  public record WrittenSample(SortedMap<String, String> labels, long atMillis, double value) {}

  /**
   * Has a server take them.
   *
   * @param status what it answers then
   */
  static void send(Collection<WrittenSample> samples, URI receiver, int status) {
    send(samples, receiver, Map.of(), status);
  }

  /** The same with further headers. */
  static void send(
      Collection<WrittenSample> samples, URI receiver, Map<String, String> headers, int status) {
    var request =
        HttpRequest.newBuilder(receiver)
            .header("Content-Type", "application/x-protobuf")
            .header("Content-Encoding", "snappy")
            .header("X-Prometheus-Remote-Write-Version", "0.1.0")
            .POST(BodyPublishers.ofByteArray(body(samples)));
    headers.forEach(request::header);
    QueryRequests.send(request.build(), status);
  }

  private static byte[] body(Collection<WrittenSample> samples) {
    var request = new ByteArrayOutputStream();
    for (WrittenSample sample : samples) {
      field(request, 1, series(sample));
    }
    return snappy(request.toByteArray());
  }

  private static byte[] series(WrittenSample sample) {
    var series = new ByteArrayOutputStream();
    for (Map.Entry<String, String> label : sample.labels().entrySet()) {
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
