package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.pass.SamplingPass;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.poll.GpuPoller;
import io.gpureclaimer.nvml.poll.GpuPoller.Deadlines;
import io.gpureclaimer.nvml.poll.KernelFiles;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverThread;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import jnr.ffi.Pointer;

/** Sampling passes over the first GPUs of a library, in a session of their own. */
public final class SampledNode implements AutoCloseable {
  /** So long that nothing but a hang exceeds it. */
  public static final Deadlines PATIENT =
      new Deadlines(
          Duration.ofMinutes(1),
          Duration.ofMinutes(8),
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          Duration.ofHours(1));

  public final DriverThread thread = new DriverThread();
  public final GpuPoller poller;
  private final DriverSession session;
  private final SamplingPass pass;
  private volatile int gpus;

  /** All GPUs of the library. */
  public SampledNode(
      LibNvml library, List<Collector> collectors, MonotonicClock monotonic, InstantSource clock) {
    this(library, Integer.MAX_VALUE, collectors, PATIENT, monotonic, clock);
  }

  public SampledNode(
      LibNvml library,
      int gpus,
      List<Collector> collectors,
      Deadlines deadlines,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.gpus = gpus;
    LibNvml some = gpus == Integer.MAX_VALUE ? library : counting(library);
    session =
        new DriverSession(
            () -> some, thread, Duration.ofMinutes(1), Duration.ZERO, MonotonicClock.SYSTEM);
    poller =
        new GpuPoller(
            session,
            thread,
            new KernelFiles(Path.of("/nonexistent")),
            deadlines,
            Duration.ofSeconds(10),
            false,
            List.of(),
            monotonic,
            clock);
    pass = new SamplingPass(collectors, poller, monotonic);
  }

  public PassResult run(Set<DcgmField> wanted) {
    return pass.run(wanted);
  }

  /** From now on the driver has so many GPUs. */
  public void count(int now) {
    gpus = now;
  }

  /** The driver reports that MIG has partitioned the GPU again. */
  public void repartitioned(GpuUuid gpu) {
    poller.repartitioned(gpu);
  }

  /** The next pass opens another session. */
  public void endSession() {
    session.close();
  }

  @Override
  public void close() {
    session.close();
    thread.close();
  }

  private LibNvml counting(LibNvml library) {
    return (LibNvml)
        Proxy.newProxyInstance(
            LibNvml.class.getClassLoader(),
            new Class<?>[] {LibNvml.class},
            (_, method, args) -> {
              try {
                Object code = method.invoke(library, args);
                if (method.getName().startsWith("nvmlDeviceGetCount")) {
                  var count = (Pointer) args[0];
                  count.putInt(0, Math.min(gpus, count.getInt(0)));
                }
                return code;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
