package io.gpureclaimer.reclaimer.lint;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.Lint.AnnotatedObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a file in YAML or JSON, which may hold several, lists of them, and anything else.
 * An object that contains the specification of a pod at any depth is an owner of pods. Confined to
 * one call.
 */
public final class ManifestFile {
  private final Path file;
  private final List<AnnotatedObject> subjects = new ArrayList<>();

  private ManifestFile(Path file) {
    this.file = file;
  }

  /** A file that no API server would accept; the message is one line that begins with its name. */
  public static final class MalformedManifest extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedManifest(String message) {
      super(message);
    }
  }

  /**
   * The objects, in the order of the file.
   *
   * @throws UncheckedIOException if the file cannot be read
   * @throws MalformedManifest if it is neither YAML nor JSON, or an annotation or label is no text
   */
  public static List<AnnotatedObject> read(Path file) {
    var manifest = new ManifestFile(file);
    var reader =
        new YamlReader(
            problem -> {
              throw new MalformedManifest(problem);
            });
    try {
      reader.trees(file.toString(), Files.readString(file)).forEach(manifest::add);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return List.copyOf(manifest.subjects);
  }

  private void add(@Nullable Object document) {
    if (!(document instanceof Map<?, ?> object)) {
      return;
    }
    if (object.get("items") instanceof List<?> items) {
      items.forEach(this::add);
    } else if (text(object.get("kind")).equals("Namespace")) {
      String name = text(metadata(object).get("name"));
      add(AnnotatedKind.NAMESPACE, name, "namespace " + name, object);
    } else {
      addWithPods(object);
    }
  }

  private void addWithPods(Map<?, ?> object) {
    String kind = text(object.get("kind"));
    String namespace = namespace(object);
    String name = namespace + "/" + text(metadata(object).get("name"));
    if (kind.equals("Pod")) {
      add(AnnotatedKind.POD, namespace, "pod " + name, object);
      return;
    }
    add(AnnotatedKind.OWNER, namespace, kind + " " + name, object);
    addTemplates(object.get("spec"), namespace, "pods of " + kind + " " + name);
  }

  private void addTemplates(@Nullable Object value, String namespace, String name) {
    if (value instanceof List<?> list) {
      list.forEach(each -> addTemplates(each, namespace, name));
    } else if (value instanceof Map<?, ?> map) {
      if (map.get("spec") instanceof Map<?, ?> spec && spec.get("containers") instanceof List<?>) {
        add(AnnotatedKind.POD, namespace, name, map);
      } else {
        map.values().forEach(each -> addTemplates(each, namespace, name));
      }
    }
  }

  private void add(AnnotatedKind place, String namespace, String name, Map<?, ?> object) {
    var annotations = texts("annotation", name, metadata(object).get("annotations"));
    var labels = texts("label", name, metadata(object).get("labels"));
    if (!annotations.isEmpty() || !labels.isEmpty()) {
      subjects.add(new AnnotatedObject(place, namespace, name, annotations, labels));
    }
  }

  private Map<String, String> texts(String what, String name, @Nullable Object written) {
    return written instanceof Map<?, ?> texts
        ? texts.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    entry -> text(entry.getKey()), entry -> value(what, name, entry)))
        : Map.of();
  }

  private String value(String what, String name, Map.Entry<?, ?> entry) {
    if (entry.getValue() instanceof String text) {
      return text;
    }
    throw new MalformedManifest(
        file
            + ": "
            + name
            + ": the "
            + what
            + " "
            + entry.getKey()
            + " must be a text, was "
            + entry.getValue()
            + "; put it in quotes");
  }

  private static Map<?, ?> metadata(Map<?, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata ? metadata : Map.of();
  }

  private static String namespace(Map<?, ?> object) {
    String written = text(metadata(object).get("namespace"));
    return written.isEmpty() ? "default" : written;
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }
}
