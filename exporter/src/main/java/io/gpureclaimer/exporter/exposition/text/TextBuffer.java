package io.gpureclaimer.exporter.exposition.text;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of the text format, written front to back and reused from pass to pass. Confined to the
 * thread that renders.
 */
public final class TextBuffer {
  private static final int FIRST_CAPACITY = 16 * 1024;
  private static final int LONGEST_INT = 10;
  private static final int NINE_DIGITS = 1_000_000_000;

  /** Exact for everything below two to the 32nd. */
  private static final long ONE_HUNDREDTH_SCALED = 0x51EB_851FL;

  private static final int ONE_HUNDREDTH_SHIFT = 37;

  /** 00, 01 and so on to 99. */
  private static final byte[] PAIRS = pairs();

  private static final int MICROS = 1_000_000;

  /** Below this, a value times a million has halves that a double can hold exactly. */
  private static final double LARGEST_SCALED = 0x1p51;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;

  /** Forgets the text and keeps the room. */
  public void clear() {
    length = 0;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  public int length() {
    return length;
  }

  public TextBuffer append(byte[] text) {
    return append(text, 0, text.length);
  }

  /** A part of a text, up to and without {@code end}. */
  TextBuffer append(byte[] text, int from, int end) {
    ensureRoomFor(end - from);
    System.arraycopy(text, from, bytes, length, end - from);
    length += end - from;
    return this;
  }

  /** All of a line but its number. */
  public TextBuffer beginLine(byte[] name, byte[] labels) {
    int labelsAt = length + name.length;
    int end = labelsAt + labels.length;
    ensureRoomFor(end - length);
    System.arraycopy(name, 0, bytes, length, name.length);
    System.arraycopy(labels, 0, bytes, labelsAt, labels.length);
    length = end;
    return this;
  }

  public TextBuffer append(char ascii) {
    ensureRoomFor(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  /** Decimal digits, as the driver's integers are written. */
  public TextBuffer appendInteger(long value) {
    if (value == Long.MIN_VALUE) {
      return append(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }
    if (value < 0) {
      append('-');
    }
    return appendDigits(Math.abs(value), 1);
  }

  /**
   * Exactly six decimals of the value that the double really has, a tie going to the even digit:
   * the bytes that C's and Go's {@code %f} write.
   */
  public TextBuffer appendSixDecimals(double value) {
    double scaled = Math.abs(value) * MICROS;
    if (!(scaled < LARGEST_SCALED)) {
      return append(
          new BigDecimal(value)
              .setScale(6, RoundingMode.HALF_EVEN)
              .toPlainString()
              .getBytes(StandardCharsets.US_ASCII));
    }
    if (Double.doubleToRawLongBits(value) < 0) {
      append('-');
    }
    long micros = nearest(Math.abs(value), scaled);
    long whole = micros / MICROS;
    appendDigits(whole, 1);
    append('.');
    return appendDigits(micros - whole * MICROS, 6);
  }

  /**
   * As few digits as distinguish the double from all others, with an exponent where it is small.
   */
  public TextBuffer appendExactly(double value) {
    return append(Double.toString(value).getBytes(StandardCharsets.US_ASCII));
  }

  /** Seconds with three decimals, truncated. */
  public TextBuffer appendMillisAsSeconds(long millis) {
    if (millis < 0) {
      append('-');
    }
    long magnitude = Math.abs(millis);
    long whole = magnitude / 1_000;
    appendDigits(whole, 1);
    append('.');
    return appendDigits(magnitude - 1_000 * whole, 3);
  }

  /**
   * {@code scaled} is the rounded product; what rounding took away matters only when it looks like
   * a tie, and a fused multiply-add shows it exactly.
   */
  private static long nearest(double value, double scaled) {
    long whole = (long) scaled;
    double fraction = scaled - whole;
    if (fraction != 0.5) {
      return fraction < 0.5 ? whole : whole + 1;
    }
    double lost = Math.fma(value, MICROS, -scaled);
    if (lost != 0) {
      return lost < 0 ? whole : whole + 1;
    }
    return whole + (whole & 1);
  }

  /** Nine digits at a time, so that few of the divisions are long. */
  private TextBuffer appendDigits(long magnitude, int atLeast) {
    if (magnitude < NINE_DIGITS) {
      return appendDigits((int) magnitude, atLeast);
    }
    appendDigits(magnitude / NINE_DIGITS, atLeast);
    return appendDigits((int) (magnitude % NINE_DIGITS), 9);
  }

  /** Hundredths by multiplication: the client compiler makes a slow instruction of a division. */
  private TextBuffer appendDigits(int magnitude, int atLeast) {
    ensureRoomFor(LONGEST_INT);
    int at = length + Math.max(atLeast, digitsOf(magnitude));
    int end = at;
    long rest = magnitude;
    while (at > length + 1) {
      long hundredth = (rest * ONE_HUNDREDTH_SCALED) >>> ONE_HUNDREDTH_SHIFT;
      int pair = 2 * (int) (rest - 100 * hundredth);
      bytes[--at] = PAIRS[pair + 1];
      bytes[--at] = PAIRS[pair];
      rest = hundredth;
    }
    if (at > length) {
      bytes[--at] = (byte) ('0' + rest);
    }
    length = end;
    return this;
  }

  private static int digitsOf(int magnitude) {
    int digits = 1;
    for (long power = 10; power <= magnitude; power *= 10) {
      digits++;
    }
    return digits;
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  private void ensureRoomFor(int more) {
    if (more > bytes.length - length) {
      grow(more);
    }
  }

  private void grow(int more) {
    bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
  }
}
