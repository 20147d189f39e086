package io.gpureclaimer.verification.deploy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Helm chart, linted and rendered by Helm itself, which knows of no cluster. */
public final class Chart {
  /** Where the repository lies. */
  public static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  /** Where the chart lies. */
  public static final Path FOLDER = REPOSITORY.resolve("deploy/helm/gpu-reclaimer");

  /** Release and namespace that everything is rendered for. */
  public static final String RELEASE = "gpu-reclaimer";

  private static final String KUBERNETES = "1.36.2";

  private Chart() {}

  /** What {@code helm lint --strict} says. */
  public static LintResult lint() {
    return new Helm(FOLDER).lint().strict().call();
  }

  /** What {@code helm template} prints for these values. */
  public static String render(Path... values) {
    return renderFrom(FOLDER, values);
  }

  /** The same of a chart that lies elsewhere. */
  static String renderFrom(Path folder, Path... values) {
    TemplateCommand command = command(folder, KUBERNETES);
    Arrays.stream(values).forEach(command::withValuesFile);
    return command.call();
  }

  /** Copies the chart into a folder that there is not yet. */
  static Path copyTo(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(FOLDER.relativize(file)));
      }
    }
    return folder;
  }

  /** The same for values by their paths, as {@code --set} takes them. */
  public static String render(Map<String, ?> values) {
    return render(KUBERNETES, values);
  }

  /** The same for a cluster of this version. */
  public static String render(String kubernetes, Map<String, ?> values) {
    TemplateCommand command = command(kubernetes);
    values.forEach(command::set);
    return command.call();
  }

  /** The same without values, for a release of that name. */
  static String renderAs(String release) {
    return command(KUBERNETES).withName(release).call();
  }

  /** What is rendered, as objects; each has to be one that Kubernetes understands. */
  public static List<HasMetadata> objects(Map<String, ?> values) {
    return StrictYaml.objects(render(values));
  }

  /** What is rendered for the values of a file, as objects. */
  public static List<HasMetadata> objects(Path values) {
    return StrictYaml.objects(render(values));
  }

  /** The same of a chart that lies elsewhere, for values by their paths. */
  static List<HasMetadata> objectsFrom(Path folder, Map<String, ?> values) {
    TemplateCommand command = command(folder, KUBERNETES);
    values.forEach(command::set);
    return StrictYaml.objects(command.call());
  }

  /** What is said after an installation with these values; it does not happen. */
  public static String notes(Map<String, ?> values) {
    return notes(KUBERNETES, values);
  }

  /** The same for a cluster of this version. */
  static String notes(String kubernetes, Map<String, ?> values) {
    return notesFrom(FOLDER, kubernetes, values);
  }

  /** The same of a chart that lies elsewhere. */
  static String notesFrom(Path folder, Map<String, ?> values) {
    return notesFrom(folder, KUBERNETES, values);
  }

  private static String notesFrom(Path folder, String kubernetes, Map<String, ?> values) {
    InstallCommand command =
        new Helm(folder)
            .install()
            .clientOnly()
            .dryRun()
            .withName(RELEASE)
            .withNamespace(RELEASE)
            .withKubeVersion(kubernetes)
            .set("lookAround", false);
    values.forEach(command::set);
    return command.call().getOutput();
  }

  private static TemplateCommand command(String kubernetes) {
    return command(FOLDER, kubernetes);
  }

  private static TemplateCommand command(Path folder, String kubernetes) {
    return new Helm(folder)
        .template()
        .withName(RELEASE)
        .withNamespace(RELEASE)
        .withKubeVersion(kubernetes)
        // What `helm template` answers to a look-up is empty; this one would ask a cluster.
        .set("lookAround", false);
  }
}
