package io.gpureclaimer.nvml;

/** A number as the driver gave it, in the type that it gave. */
public sealed interface FieldValue {

  /** Of 16, 32 or 64 bits, unsigned. */
  record Unsigned(long bits) implements FieldValue {
    @Override
    public long whole() {
      return bits;
    }

    @Override
    public double real() {
      return bits >= 0 ? bits : (bits >>> 1) * 2.0;
    }
  }

  /** Of 32 or 64 bits, signed. */
  record Signed(long number) implements FieldValue {
    @Override
    public long whole() {
      return number;
    }

    @Override
    public double real() {
      return number;
    }
  }

  /** Always finite. */
  record Real(double number) implements FieldValue {
    @Override
    public long whole() {
      return Math.round(number);
    }

    @Override
    public double real() {
      return number;
    }
  }

  /** The number without a fraction; 64 bits, unsigned if the driver's type is. */
  long whole();

  /** The number as near as a double comes to it. */
  double real();
}
