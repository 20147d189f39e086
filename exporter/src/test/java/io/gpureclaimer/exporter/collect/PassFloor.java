package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.nvml.CCompiler;
import io.gpureclaimer.nvml.NvmlStub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Lays out in a folder what the floor needs: {@code nvml_floor}, the stub, and for each set of
 * counters the calls of a pass.
 */
final class PassFloor {
  private final Path folder;
  private final NvmlStub stub;

  private PassFloor(Path folder, NvmlStub stub) {
    this.folder = folder;
    this.stub = stub;
  }

  /** In an empty folder. */
  static PassFloor in(Path folder) throws IOException {
    Path sources = Files.createDirectory(folder.resolve("floor"));
    new CCompiler(sources).program("nvml_floor", "nvml_floor.c", List.of("-O2", "-ldl"));
    Files.move(sources.resolve("nvml_floor"), folder.resolve("nvml_floor"));
    return new PassFloor(folder, NvmlStub.build(Files.createDirectory(folder.resolve("stub"))));
  }

  Path program() {
    return folder.resolve("nvml_floor");
  }

  Path library() {
    return stub.library();
  }

  Path trace(StubNode.Wanted wanted) throws IOException {
    Path file = folder.resolve(wanted.name().toLowerCase(Locale.ROOT) + ".trace");
    StubNode.trace(stub, wanted, file);
    return file;
  }

  public static void main(String[] folder) throws IOException {
    var floor = in(Path.of(folder[0]));
    for (StubNode.Wanted wanted : StubNode.Wanted.values()) {
      floor.trace(wanted);
    }
  }
}
