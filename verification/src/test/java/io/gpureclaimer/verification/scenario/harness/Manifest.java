package io.gpureclaimer.verification.scenario.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The text of a YAML file, of a scenario's own folder or of deploy/manifests. */
public record Manifest(String text) {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  /** A file that lies beside the class of the scenario. */
  public static Manifest beside(Class<?> scenario, String name) {
    try (InputStream in = scenario.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no " + name + " beside " + scenario.getName());
      }
      return new Manifest(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the files in deploy/manifests. */
  public static List<String> shipped() {
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("deploy/manifests"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of deploy/manifests, as people apply it. */
  public static Manifest shipped(String name) {
    return inDeploy("manifests", name);
  }

  /** A file of deploy/examples, as people copy it. */
  public static Manifest example(String name) {
    return inDeploy("examples", name);
  }

  private static Manifest inDeploy(String folder, String name) {
    try {
      return new Manifest(
          Files.readString(REPOSITORY.resolve("deploy").resolve(folder).resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same with another text in place of each {@code ${key}}; the key must occur. */
  public Manifest with(String key, Object value) {
    return replacing("${" + key + "}", String.valueOf(value));
  }

  /** The same with another text in place of this one, which must occur. */
  public Manifest replacing(String target, String replacement) {
    if (!text.contains(target)) {
      throw new IllegalArgumentException("the manifest does not contain " + target);
    }
    return new Manifest(text.replace(target, replacement));
  }
}
