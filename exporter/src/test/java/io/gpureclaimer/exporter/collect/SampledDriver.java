package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import jnr.ffi.Pointer;

/** A driver whose buffer of utilization samples the test fills. */
public final class SampledDriver implements InvocationHandler {
  private static final int NOT_FOUND = 6;
  private static final int SAMPLE_BYTES = 16;
  private static final int VALUE_AT = 8;

  private final LibNvml sound;
  private final List<BufferedSample> buffer = new ArrayList<>();
  private int code;

  public SampledDriver(LibNvml sound) {
    this.sound = sound;
  }

  private record BufferedSample(long atMicros, int percent) {}

  public LibNvml library() {
    return (LibNvml)
        Proxy.newProxyInstance(
            LibNvml.class.getClassLoader(), new Class<?>[] {LibNvml.class}, this);
  }

  /** One more sample in the buffer. */
  public void sample(long atMicros, int percent) {
    buffer.add(new BufferedSample(atMicros, percent));
  }

  public void forget() {
    buffer.clear();
  }

  /** From now on that is the answer; 0 for the samples. */
  public void answer(int returnCode) {
    code = returnCode;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    if (method.getName().equals("nvmlDeviceGetSamples")) {
      return code == 0 ? fill((long) args[2], (Pointer) args[4], (Pointer) args[5]) : code;
    }
    try {
      return method.invoke(sound, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private int fill(long lastSeen, Pointer count, Pointer out) {
    var some = buffer.stream().filter(sample -> sample.atMicros() > lastSeen).toList();
    count.putInt(0, some.size());
    for (int i = 0; i < some.size(); i++) {
      out.putLong((long) i * SAMPLE_BYTES, some.get(i).atMicros());
      out.putInt((long) i * SAMPLE_BYTES + VALUE_AT, some.get(i).percent());
    }
    return some.isEmpty() ? NOT_FOUND : 0;
  }
}
