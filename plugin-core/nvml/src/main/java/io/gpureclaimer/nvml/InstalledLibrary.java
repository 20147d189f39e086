package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The driver's library as it is installed at the moment. The system's loader returns a library that
 * it has loaded once for the same name again, also after another driver was installed. Therefore,
 * from the second time on, the library is searched only in the folder in which the first one was:
 * while an installer is at work, other names may lead to half of it. For any thread.
 */
public final class InstalledLibrary implements Supplier<LibNvml> {
  /** A line of the kernel's list of what is mapped into a process. */
  private static final Pattern MAPPED = Pattern.compile("\\s(/.*)/libnvidia-ml\\.so[^/]*$");

  /** Flags of {@code dlopen}: a library's own functions go before all others of their names. */
  private static final int LAZY = 1;

  private static final int DEEPBIND = 8;

  private final Supplier<LibNvml> usual;
  private final Function<Path, LibNvml> in;
  private final Path maps;
  private final AtomicReference<@Nullable Path> folder = new AtomicReference<>();
  private final AtomicReference<@Nullable Path> apart = new AtomicReference<>();

  /**
   * @param usual loads it for the first time
   * @param in loads it from a folder
   * @param maps what is mapped into this process
   */
  InstalledLibrary(Supplier<LibNvml> usual, Function<Path, LibNvml> in, Path maps) {
    this.usual = usual;
    this.in = in;
    this.maps = maps;
  }

  /** Looks in the same places as {@link NvmlLibrary#load(Optional, Optional)}. */
  public static InstalledLibrary of(Optional<Path> explicit, Optional<Path> root) {
    return new InstalledLibrary(
        () -> NvmlLibrary.load(explicit, root),
        place -> NvmlLibrary.load(Optional.of(place)),
        Path.of("/proc/self/maps"));
  }

  @Override
  public LibNvml get() {
    var known = folder.get();
    if (known != null) {
      keepApart(known.resolve(NvmlLibrary.SONAME));
      return in.apply(known);
    }
    var loaded = usual.get();
    folder.set(mappedFrom().orElse(null));
    return loaded;
  }

  /**
   * Opened under its own name once more afterwards, it is the same library still. Without this its
   * calls of its own functions would end in the first one, whose names are everybody's.
   */
  private void keepApart(Path library) {
    try {
      Path real = library.toRealPath();
      if (!real.equals(apart.getAndSet(real))) {
        open(real.toString());
      }
    } catch (IOException _) {
      // It has gone just now: loading it will say so.
    }
  }

  @SuppressWarnings("restricted")
  private static void open(String library) {
    var linker = Linker.nativeLinker();
    var dlopen =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("dlopen"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    try (Arena memory = Arena.ofConfined()) {
      var _ = (MemorySegment) dlopen.invokeExact(memory.allocateFrom(library), LAZY | DEEPBIND);
    } catch (Throwable e) {
      throw new IllegalStateException("a call of dlopen does not throw", e);
    }
  }

  /** Where the kernel reports no version, the library is searched as for the first time. */
  private Optional<Path> mappedFrom() {
    try (var lines = Files.lines(maps)) {
      return lines
          .flatMap(line -> MAPPED.matcher(line).results())
          .map((MatchResult mapped) -> Path.of(mapped.group(1)))
          .filter(place -> Files.exists(place.resolve(NvmlLibrary.SONAME)))
          .findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
