package io.gpureclaimer.exporter.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.CCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The floor that a pass is compared with makes the pass's own calls, and gets the same answers. */
@Tag("slow")
class PassFloorTest {
  @TempDir Path folder;

  /** The program ends with an error when a call answers anything else than it did to the agent. */
  @Test
  void makesTheCallsOfAPass() throws IOException {
    var floor = PassFloor.in(folder);
    Path trace = floor.trace(StubNode.Wanted.DEFAULT);

    String said =
        new CCompiler(Files.createDirectory(folder.resolve("run")))
            .output(
                List.of(floor.program().toString(), floor.library().toString(), trace.toString()));

    assertThat(said).matches(callsOfOnePass(trace) + " calls, \\d+ ns\n");
  }

  private static long callsOfOnePass(Path trace) throws IOException {
    return Files.readAllLines(trace).stream().filter(line -> line.startsWith("call ")).count() / 2;
  }
}
