package io.gpureclaimer.verification.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What people copy: manifests, and values for the chart. */
public final class Examples {
  private static final Path FOLDER = Chart.REPOSITORY.resolve("deploy/examples");

  private Examples() {}

  /** The files that hold objects of Kubernetes. */
  public static List<Path> manifests() {
    return files(FOLDER).filter(file -> !file.endsWith("prometheus.yaml")).toList();
  }

  /** The files of the trial without GPUs. */
  static List<Path> trial() {
    return files(FOLDER.resolve("try")).toList();
  }

  /** The files that hold values for the chart. */
  public static List<Path> values() {
    return files(FOLDER.resolve("values")).toList();
  }

  /** The objects of a file; each has to be one that Kubernetes understands. */
  public static List<HasMetadata> objects(Path file) {
    return StrictYaml.objects(text(file));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
