package io.gpureclaimer.nvml;

/** The session with the driver as a whole is gone, or could not be opened. */
public final class NvmlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final NvmlReturn reason;
  private final int code;

  NvmlException(String function, int code) {
    this(NvmlReturn.of(code), code, function + ": " + NvmlReturn.of(code).text() + codeText(code));
  }

  private NvmlException(NvmlReturn reason, int code, String message) {
    super(message);
    this.reason = reason;
    this.code = code;
  }

  static NvmlException libraryNotFound(String message) {
    NvmlReturn reason = NvmlReturn.LIBRARY_NOT_FOUND;
    return new NvmlException(reason, reason.code(), message);
  }

  /** What went wrong, as a value. */
  public NvmlReturn reason() {
    return reason;
  }

  /** The code as the driver returned it. */
  public int code() {
    return code;
  }

  private static String codeText(int code) {
    return " (code " + code + ")";
  }
}
