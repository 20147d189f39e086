package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import jnr.ffi.Pointer;
import jnr.ffi.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Writes down which calls reach a driver, and with what, so that a C program can make the very same
 * ones: nvml_floor.c, which describes the format of the lines.
 */
public final class CallTrace implements InvocationHandler {
  private static final String HANDLE = "nvmlDeviceGetHandleByIndex";
  private static final String SAMPLE = "nvmlGpmSampleAlloc";
  private static final int LARGEST_MEMORY = 1 << 20;

  private final LibNvml library;
  private final List<String> handed = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  public CallTrace(LibNvml library) {
    this.library = library;
  }

  /** The library, overheard. */
  public LibNvml overheard() {
    return (LibNvml)
        Proxy.newProxyInstance(
            LibNvml.class.getClassLoader(), new Class<?>[] {LibNvml.class}, this);
  }

  /** From now on; what the library has handed out before is still known. */
  public void begin() {
    calls.clear();
  }

  /** Writes down what was called since it began, as that many passes. */
  public void write(Path file, int passes) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("passes " + passes);
    lines.addAll(handed);
    lines.addAll(calls);
    Files.write(file, lines);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    Object[] given = args == null ? new Object[0] : args;
    var line = new StringBuilder("call ").append(method.getName());
    for (Object each : given) {
      line.append(' ').append(argument(each));
    }
    int code = call(method, args);
    calls.add(line.append(" = ").append(code).toString());
    if (method.getName().startsWith(HANDLE)) {
      handed.add("device " + given[0] + ' ' + address((Pointer) given[1]));
    } else if (method.getName().equals(SAMPLE)) {
      handed.add("sample " + address((Pointer) given[0]));
    }
    return code;
  }

  private int call(Method method, Object[] args) throws Throwable {
    try {
      return (Integer) method.invoke(library, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static String address(Pointer out) {
    return Long.toHexString(out.getLong(0));
  }

  private static String argument(@Nullable Object value) {
    return switch (value) {
      case null -> "0";
      case Integer number -> Integer.toHexString(number);
      case Long number -> Long.toHexString(number);
      case Struct struct -> memory(Struct.getMemory(struct), Struct.size(struct));
      case Pointer pointer -> memory(pointer, Math.toIntExact(pointer.size()));
      default -> throw new IllegalArgumentException("an argument of " + value.getClass());
    };
  }

  private static String memory(Pointer pointer, int size) {
    if (size > LARGEST_MEMORY) {
      throw new IllegalArgumentException("expected memory of a known size, found " + size);
    }
    byte[] bytes = new byte[size];
    pointer.get(0, bytes, 0, size);
    return ':' + HexFormat.of().formatHex(bytes);
  }
}
