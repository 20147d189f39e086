package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jnr.ffi.LibraryLoader;

/** A driver's library that is not NVIDIA's, in C, and the control of its answers. */
public final class ForeignLibrary {
  private final Path library;
  private final ForeignControl control;

  private ForeignLibrary(Path library) {
    this.library = library;
    NvmlLibrary.load(Optional.of(library));
    this.control =
        LibraryLoader.create(ForeignControl.class).failImmediately().load(library.toString());
  }

  /** The {@code foreign_} functions of {@code nvml_foreign.c}. */
  public interface ForeignControl {
    void foreign_reset(int count);

    void foreign_lose(int gpu);

    void foreign_xid(int gpu, long xid);

    void foreign_eager();

    int foreign_waits();

    void foreign_process(int gpu, int pid);

    void foreign_links(int count, int up);
  }

  /** Builds the library in an empty folder. */
  public static ForeignLibrary build(Path folder) {
    return new ForeignLibrary(
        new CCompiler(folder).library("libnvidia-ml.so.1", "nvml_foreign.c", List.of()));
  }

  /** The library, loaded as the real one would be. */
  public LibNvml lib() {
    return NvmlLibrary.load(Optional.of(library));
  }

  public ForeignControl control() {
    return control;
  }

  public Path library() {
    return library;
  }
}
