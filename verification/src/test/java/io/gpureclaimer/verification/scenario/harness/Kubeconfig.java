package io.gpureclaimer.verification.scenario.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The kubeconfig of the cluster that this JVM tests on: the file that KUBECONFIG names, or, when
 * several JVMs test on a cluster each, the one of its number in the property {@code
 * scenario.kubeconfigs}.
 */
public final class Kubeconfig {

  private Kubeconfig() {}

  /** The file, if one is named. */
  public static Optional<Path> file() {
    String several = System.getProperty("scenario.kubeconfigs", "");
    if (several.isEmpty()) {
      return Optional.ofNullable(System.getenv("KUBECONFIG")).map(Path::of);
    }
    List<String> files = List.of(several.split(",", -1));
    return Optional.of(Path.of(files.get(Integer.getInteger("surefire.forkNumber", 1) - 1)));
  }

  /** The file. */
  public static Path required() {
    return file()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "KUBECONFIG must name the cluster to test on, was not set"));
  }
}
