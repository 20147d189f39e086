package io.gpureclaimer.reclaimer.cluster.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The namespace that this process runs in. */
public final class OwnNamespace {
  private static final Path OF_THE_SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  private OwnNamespace() {}

  /** The namespace of the pod that this is; empty outside of a cluster. */
  public static Optional<String> inAPod() {
    return in(OF_THE_SERVICE_ACCOUNT);
  }

  static Optional<String> in(Path file) {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file).strip()).filter(name -> !name.isEmpty());
    } catch (IOException e) {
      throw new UncheckedIOException("read " + file, e);
    }
  }
}
