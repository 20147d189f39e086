package io.gpureclaimer.nvml;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The return codes of {@code nvml.h}, with their meaning in words. */
public enum NvmlReturn {
  SUCCESS(0, "success"),
  UNINITIALIZED(1, "the session is not open"),
  INVALID_ARGUMENT(2, "invalid argument"),
  NOT_SUPPORTED(3, "not supported"),
  NO_PERMISSION(4, "no permission"),
  ALREADY_INITIALIZED(5, "already initialized"),
  NOT_FOUND(6, "not found"),
  INSUFFICIENT_SIZE(7, "buffer too small"),
  INSUFFICIENT_POWER(8, "power cables are not attached properly"),
  DRIVER_NOT_LOADED(9, "driver not loaded"),
  TIMEOUT(10, "timeout"),
  IRQ_ISSUE(11, "interrupt issue"),
  LIBRARY_NOT_FOUND(12, "library not found"),
  FUNCTION_NOT_FOUND(13, "function not found in this library"),
  CORRUPTED_INFOROM(14, "corrupted infoROM"),
  GPU_IS_LOST(15, "GPU has fallen off the bus"),
  RESET_REQUIRED(16, "GPU requires a reset"),
  OPERATING_SYSTEM(17, "blocked by the operating system or a cgroup"),
  LIB_RM_VERSION_MISMATCH(18, "library and kernel driver are of different versions"),
  IN_USE(19, "GPU is in use"),
  MEMORY(20, "out of memory"),
  NO_DATA(21, "no data"),
  VGPU_ECC_NOT_SUPPORTED(22, "not available to a vGPU while ECC is enabled"),
  INSUFFICIENT_RESOURCES(23, "out of resources"),
  FREQ_NOT_SUPPORTED(24, "frequency not supported"),
  ARGUMENT_VERSION_MISMATCH(25, "struct version not supported"),
  DEPRECATED(26, "function is deprecated"),
  NOT_READY(27, "not ready"),
  GPU_NOT_FOUND(28, "no GPU found"),
  INVALID_STATE(29, "invalid state"),
  UNKNOWN(999, "unknown error");

  private static final Map<Integer, NvmlReturn> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(NvmlReturn::code, Function.identity()));

  private final int code;
  private final String text;

  NvmlReturn(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The meaning of a code; {@link #UNKNOWN} for one that no header we know of names. */
  public static NvmlReturn of(int code) {
    return BY_CODE.getOrDefault(code, UNKNOWN);
  }

  /** The number in {@code nvml.h}. */
  public int code() {
    return code;
  }

  /** In words, to be read in a message. */
  public String text() {
    return text;
  }
}
