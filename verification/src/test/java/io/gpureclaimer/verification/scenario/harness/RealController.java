package io.gpureclaimer.verification.scenario.harness;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Controller of custom kinds, built from its Go module by {@code verification/controllers/build}: a
 * process on the machine of the cluster with all rights on it. A test that asks for one that cannot
 * be built here is skipped. Confined to the thread of the test.
 */
public final class RealController {
  private static final Path COMMANDS = Path.of("controllers").toAbsolutePath();
  private static final long ESTABLISHED_WITHIN_SECONDS = 30;

  private RealController() {}

  /**
   * Installs its kinds and what else it needs, and starts it; its log is in {@code
   * target/scenarios}.
   */
  public static NodeProcess start(TestCluster cluster, String name) {
    var own = OwnCluster.orSkip();
    install(cluster, name, build(name));
    return NodeProcess.start(
        name, own.pointed(new ProcessBuilder(COMMANDS.resolve("run").toString(), name)));
  }

  private static Path build(String name) {
    try {
      Process build = new ProcessBuilder(COMMANDS.resolve("build").toString(), name).start();
      build.getOutputStream().close();
      String folder = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String said = new String(build.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      Assumptions.assumeTrue(
          build.waitFor() == 0, () -> said.lines().reduce((_, last) -> last).orElse(""));
      return Path.of(folder.strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void install(TestCluster cluster, String name, Path built) {
    try (Stream<Path> files = Files.list(built.resolve("crds"))) {
      List<HasMetadata> kinds = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        kinds.addAll(cluster.apply(new Manifest(Files.readString(file))));
      }
      kinds.forEach(kind -> awaitServed(cluster, kind));
      Path objects = COMMANDS.resolve(name + "-objects.yaml");
      if (Files.exists(objects)) {
        cluster.apply(new Manifest(Files.readString(objects)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitServed(TestCluster cluster, HasMetadata kind) {
    cluster
        .client()
        .resources(CustomResourceDefinition.class)
        .withName(kind.getMetadata().getName())
        .waitUntilCondition(
            found ->
                Optional.ofNullable(found)
                    .map(CustomResourceDefinition::getStatus)
                    .map(CustomResourceDefinitionStatus::getConditions)
                    .orElse(List.of())
                    .stream()
                    .anyMatch(
                        condition ->
                            condition.getType().equals("Established")
                                && condition.getStatus().equals("True")),
            ESTABLISHED_WITHIN_SECONDS,
            TimeUnit.SECONDS);
  }
}
