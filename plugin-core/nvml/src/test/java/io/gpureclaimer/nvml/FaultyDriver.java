package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A driver of which single functions can be made to fail or to hang. */
public final class FaultyDriver implements InvocationHandler {
  private final LibNvml sound;
  private final Map<String, Integer> codes = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();
  private final Map<String, Integer> codesOfFirst = new ConcurrentHashMap<>();
  private final Map<String, RefusedCall> refusals = new ConcurrentHashMap<>();
  private final Map<String, Consumer<Object[]>> changes = new ConcurrentHashMap<>();
  private final List<Object> devices = new CopyOnWriteArrayList<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  public FaultyDriver(LibNvml sound) {
    this.sound = sound;
  }

  public LibNvml library() {
    return (LibNvml)
        Proxy.newProxyInstance(
            LibNvml.class.getClassLoader(), new Class<?>[] {LibNvml.class}, this);
  }

  public void fail(String function, int code) {
    codes.put(function, code);
  }

  /** Of the device that introduced itself first; the others are sound. */
  public void failOfFirst(String function, int code) {
    codesOfFirst.put(function, code);
  }

  /** As the driver calls the device that introduced itself first. */
  public Object firstDevice() {
    return devices.isEmpty() ? "none yet" : devices.getFirst();
  }

  private record RefusedCall(Predicate<Object[]> which, int code) {}

  /** Only if it is called with such arguments. */
  public void failIf(String function, Predicate<Object[]> which, int code) {
    refusals.put(function, new RefusedCall(which, code));
  }

  /** Changes what the sound function has written to its arguments. */
  public void change(String function, Consumer<Object[]> how) {
    changes.put(function, how);
  }

  public void hang(String function) {
    hanging.put(function, new CountDownLatch(1));
  }

  public void repair() {
    codes.clear();
    codesOfFirst.clear();
    refusals.clear();
    changes.clear();
    hanging.values().forEach(CountDownLatch::countDown);
    hanging.clear();
  }

  public long callsOf(String function) {
    return calls.stream().filter(function::equals).count();
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    calls.add(method.getName());
    var latch = hanging.get(method.getName());
    if (latch != null) {
      latch.await();
    }
    if (method.getName().equals("nvmlDeviceGetUUID")) {
      devices.add(args[0]);
    }
    Integer code =
        args != null && !devices.isEmpty() && devices.getFirst().equals(args[0])
            ? codesOfFirst.getOrDefault(method.getName(), codes.get(method.getName()))
            : codes.get(method.getName());
    if (code != null) {
      return code;
    }
    var refusal = refusals.get(method.getName());
    if (refusal != null && refusal.which().test(args)) {
      return refusal.code();
    }
    try {
      var answer = method.invoke(sound, args);
      changes.getOrDefault(method.getName(), _ -> {}).accept(args);
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
