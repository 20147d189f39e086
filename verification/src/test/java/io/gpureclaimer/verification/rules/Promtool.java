package io.gpureclaimer.verification.rules;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Prometheus's own tool, which tests rules and expressions against made-up series. */
public record Promtool(Path binary) {

  /** What the tool answered; all tests passed if {@code status} is 0. */
  public record PromtoolResult(int status, String said) {}

  /** The one on the PATH, or where ./test unpacks it. */
  public static Optional<Promtool> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "promtool")),
            Stream.of(
                Path.of(System.getProperty("user.home"))
                    .resolve(".cache/gpu-reclaimer/debian/prometheus/usr/bin/promtool")))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Promtool::new);
  }

  /** Runs the tests of a file. */
  public PromtoolResult test(Path tests) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(binary.toString(), "test", "rules", tests.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new PromtoolResult(process.waitFor(), said);
  }
}
