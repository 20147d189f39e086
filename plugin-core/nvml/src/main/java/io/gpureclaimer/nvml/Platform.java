package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlPlatformInfo;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Reads the chassis position of a GPU. */
final class Platform {
  static final String FUNCTION = "nvmlDeviceGetPlatformInfo";

  /** All of it. */
  static final NvmlQuery.DriverCall ALL = Platform::ask;

  /** Of the sixteen bytes; the others are zero. */
  private static final int BYTES_OF_THE_GUID = 8;

  private static final String NO_GUID = "0x" + "00".repeat(BYTES_OF_THE_GUID);
  private static final Pattern PRINTABLE = Pattern.compile("[ -~]+");

  /** What stands in place of a serial number that is not known. */
  private static final String NOT_AVAILABLE = "N/A";

  private static int ask(LibNvml lib, long device, CallMemory out) {
    out.platform.version.set(NvmlPlatformInfo.structVersion(out.platform));
    int code = lib.nvmlDeviceGetPlatformInfo(device, out.platform);
    return DeviceStructs.isAboutTheVersion(code) ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** As {@link #ask}; a GUID of zeros is none. */
  static int readGuid(LibNvml lib, long device, CallMemory out) {
    int code = ask(lib, device, out);
    return code == NVML_SUCCESS && guid(out).equals(NO_GUID) ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** As {@link #ask}; what is blank, or cannot be read, is no serial number. */
  static int readSerial(LibNvml lib, long device, CallMemory out) {
    int code = ask(lib, device, out);
    return code == NVML_SUCCESS && !isSerial(serial(out)) ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  private static boolean isSerial(String text) {
    return PRINTABLE.matcher(text).matches() && !text.isBlank() && !text.equals(NOT_AVAILABLE);
  }

  /** The bytes in their order, in the form that DCGM documents. */
  static String guid(CallMemory out) {
    var text = new StringBuilder("0x");
    for (int i = 0; i < BYTES_OF_THE_GUID; i++) {
      text.append(HexFormat.of().toHexDigits(out.platform.ibGuid[i].byteValue()));
    }
    return text.toString();
  }

  /** The serial number of the chassis, up to the first zero. */
  static String serial(CallMemory out) {
    var text = new StringBuilder();
    for (var part : out.platform.chassisSerialNumber) {
      if (part.get() == 0) {
        break;
      }
      text.append((char) part.get());
    }
    return text.toString();
  }

  private Platform() {}
}
