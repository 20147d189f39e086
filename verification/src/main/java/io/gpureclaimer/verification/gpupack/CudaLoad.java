package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Load by a kernel of our own, in one process for each GPU. */
final class CudaLoad implements Load {
  private final Path folder;
  private int started;

  /**
   * Starts nothing yet.
   *
   * @param folder where the processes write their logs
   */
  CudaLoad(Path folder) {
    this.folder = folder;
  }

  @Override
  public Optional<String> unavailable() {
    return CudaDriver.load().isPresent()
        ? Optional.empty()
        : Optional.of(CudaDriver.LIBRARY + " not found");
  }

  private record OnGpu(String gpu, Process process, Path log) {}

  @Override
  public Running start(Set<String> gpus, Kind kind, Duration time) throws IOException {
    var running = new ArrayList<OnGpu>();
    for (String gpu : gpus) {
      Path log = folder.resolve("load-" + ++started + ".log");
      var builder =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-Xmx32m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LoadProcess.class.getName(),
                  kind.name(),
                  Long.toString(time.toMillis()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("CUDA_VISIBLE_DEVICES", gpu);
      running.add(new OnGpu(gpu, builder.start(), log));
    }
    return () -> finish(running);
  }

  private static List<Stretch> finish(List<OnGpu> running)
      throws IOException, InterruptedException {
    var stretches = new ArrayList<Stretch>();
    for (OnGpu load : running) {
      load.process().waitFor();
      List<String> lines = Files.readAllLines(load.log());
      List<Instant> begins = instants(lines, LoadProcess.BEGIN);
      List<Instant> ends = instants(lines, LoadProcess.END);
      for (int i = 0; i < ends.size(); i++) {
        stretches.add(new Stretch(load.gpu(), begins.get(i), ends.get(i)));
      }
    }
    return stretches;
  }

  private static List<Instant> instants(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> Instant.parse(line.substring(prefix.length())))
        .toList();
  }
}
