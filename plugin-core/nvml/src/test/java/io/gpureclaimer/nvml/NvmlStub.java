package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import jnr.ffi.LibraryLoader;

/** The stub of the driver's library in C, and the control of its answers. */
public final class NvmlStub {
  /** A GPU's number that means every one. */
  public static final int ALL_GPUS = -1;

  /** A return code that means: succeed, and write nothing. */
  public static final int UNTOUCHED = -1;

  private final Path library;
  private final StubControl control;

  private NvmlStub(Path library) {
    this.library = library;
    NvmlLibrary.load(Optional.of(library));
    this.control =
        LibraryLoader.create(StubControl.class).failImmediately().load(library.toString());
  }

  /** The {@code stub_} functions of {@code nvml_stub.c}. */
  public interface StubControl {
    void stub_reset(int count);

    void stub_benchmark(int count);

    void stub_take(long nanoseconds);

    void stub_fail(String function, int gpu, int code);

    void stub_fail_all(int gpu, int code);

    void stub_hang(String function, int gpu);

    void stub_remove(int gpu, int is);

    void stub_unhang(String function, int gpu);

    void stub_release();

    int stub_calls(String function);

    int stub_hanging();

    int stub_last_scope();

    void stub_field(int gpu, int id, int code, int type, long bits);

    void stub_refuse_field(int id);

    void stub_number(String function, int gpu, int selector, long value);

    void stub_chassis_serial(String serial);

    void stub_metric(int id, int code, double value);

    void stub_metric_limit(int id);

    void stub_activity(int gpu, int instance, double percent);

    int stub_samples();

    int stub_last_instance();

    void stub_identity(int gpu, String uuid, String name);

    void stub_pci(int gpu, int domain, int bus, int device, String id);

    void stub_sensors(int gpu, int temperature, int power, int replays);

    void stub_load(int gpu, int gpuPercent, int memoryPercent);

    void stub_licenses(int gpu, int supported, int count);

    void stub_license(int gpu, int entry, int code, int state);

    void stub_mig_mode(int gpu, int mode, int slots);

    void stub_undivide();

    void stub_mig_empty_slot(int code);

    void stub_mig_name(String name);

    void stub_mig_device(int gpu, int slot, int instance, int compute, int slices, long mib);

    void stub_event(int gpu, long type, long data, int instance);

    void stub_supported_events(long types);

    void stub_refused_events(long types);

    long stub_registered(int gpu);

    int stub_sets();

    int stub_waiting();

    void stub_process(int kind, int pid, long bytes, int instance);

    void stub_process_use(int pid, long at, int sm, int mem);

    void stub_sample(int type, long at, int value);

    void stub_p2p(int gpu, int peer, int status);

    void stub_ancestor(int gpu, int peer, int level);

    void stub_link(int gpu, int link, int type, int peer);

    long stub_last_argument(int number);
  }

  /** Builds the library in an empty folder, without these functions. */
  public static NvmlStub build(Path folder, String... without) {
    return compile(folder, Arrays.stream(without).map(name -> "-DWITHOUT_" + name).toList());
  }

  static NvmlStub compile(Path folder, List<String> flags) {
    return new NvmlStub(new CCompiler(folder).library("libnvidia-ml.so.1", "nvml_stub.c", flags));
  }

  /** The library, loaded as the real one would be. */
  public LibNvml lib() {
    return NvmlLibrary.load(Optional.of(library));
  }

  public StubControl control() {
    return control;
  }

  public Path library() {
    return library;
  }
}
