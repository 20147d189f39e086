package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counts the calls that reach a driver, by function. */
public final class CallCount implements InvocationHandler {
  private final LibNvml driver;
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();

  public CallCount(LibNvml driver) {
    this.driver = driver;
  }

  /** The driver behind a counter of calls. */
  public LibNvml library() {
    return (LibNvml)
        Proxy.newProxyInstance(
            LibNvml.class.getClassLoader(), new Class<?>[] {LibNvml.class}, this);
  }

  public int of(String function) {
    return calls.getOrDefault(function, 0);
  }

  public int all() {
    return calls.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
    calls.merge(method.getName(), 1, Integer::sum);
    try {
      return method.invoke(driver, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
