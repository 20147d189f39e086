package io.gpureclaimer.reclaimer.cluster;

import java.util.Locale;
import java.util.Optional;

/**
 * A change of one field of one object. Values are JSON text, such as {@code 3}, {@code true} or
 * {@code "x"}; a value that is absent is empty, never zero.
 *
 * @param object whose field it is
 * @param subresource through which it is written, for example {@code scale}; {@code command} for
 *     what a controller writes when a Command asks for it; empty for the object itself
 * @param path JSON pointer (RFC 6901), for example {@code /spec/replicas}
 * @param former the value before the change
 * @param written the value that the change writes
 * @param resumed the value that a restoration writes first, where the former one alone would not
 *     resume the object; empty where it does
 */
public record FieldChange(
    ObjectRef object,
    String subresource,
    String path,
    Optional<String> former,
    Optional<String> written,
    Optional<String> resumed) {
  /** The field manager to which the API server attributes our values. */
  public static final String MANAGER = "gpu-reclaimer";

  /** Subresource of objects that scale. */
  public static final String SCALE = "scale";

  /** Subresource of what controllers observe. */
  public static final String STATUS = "status";

  /** The node that the scheduler keeps for a pending pod. */
  public static final String NOMINATED_NODE = "/status/nominatedNodeName";

  /** Stands for the Command that makes the controller of a {@link VolcanoJob} write its phase. */
  public static final String COMMAND = "command";

  public FieldChange {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path must begin with a slash, was " + path);
    }
  }

  /** A change whose former value resumes the object. */
  public FieldChange(
      ObjectRef object,
      String subresource,
      String path,
      Optional<String> former,
      Optional<String> written) {
    this(object, subresource, path, former, written, Optional.empty());
  }

  /** A change through the object itself. */
  public FieldChange(
      ObjectRef object, String path, Optional<String> former, Optional<String> written) {
    this(object, "", path, former, written);
  }

  /** Whether a controller writes the field, because a Command asks for it. */
  public boolean isByCommand() {
    return subresource.equals(COMMAND);
  }

  /** The value of the field in an object; a passing phase counts as the one to which it leads. */
  public Optional<String> valueIn(OwnerView.OwnerDetails details) {
    Optional<String> value = details.field(path);
    return isByCommand() ? value.map(VolcanoJob::lasting) : value;
  }

  /** The change that takes this one back, or the first of two that do. */
  public FieldChange inverse() {
    return new FieldChange(object, subresource, path, written, resumed.or(() -> former));
  }

  /** The second change that takes this one back, when the object runs again; most have none. */
  public Optional<FieldChange> secondInverse() {
    return resumed.map(
        value -> new FieldChange(object, subresource, path, Optional.of(value), former));
  }

  /** The command by which a person takes this change back. */
  public String howToUndo() {
    if (isByCommand()) {
      return "vcctl job resume --name " + object.name() + " --namespace " + object.namespace();
    }
    String[] keys = path.substring(1).split("/", -1);
    String patch = inverse().written().orElse("null");
    for (int i = keys.length - 1; i >= 0; i--) {
      patch = "{\"" + unescaped(keys[i]) + "\":" + patch + "}";
    }
    return "kubectl patch "
        + object.kind().toLowerCase(Locale.ROOT)
        + (object.group().isEmpty() ? "" : "." + object.group())
        + " "
        + object.name()
        + " --namespace "
        + object.namespace()
        + " --type merge --patch '"
        + patch.replace("'", "'\\''")
        + "'";
  }

  /**
   * The removal of the object around the field, where that has nothing but the written value. Empty
   * for a field of the specification itself and for metadata.
   */
  public Optional<FieldChange> parentIfAlone() {
    int last = path.lastIndexOf('/');
    String parent = path.substring(0, last);
    return parent.startsWith("/spec/")
        ? written.map(
            value ->
                new FieldChange(
                    object,
                    subresource,
                    parent,
                    Optional.of("{\"" + path.substring(last + 1) + "\":" + value + "}"),
                    Optional.empty()))
        : Optional.empty();
  }

  /** The JSON pointer to an annotation. */
  public static String annotation(String key) {
    return "/metadata/annotations/" + escaped(key);
  }

  /** The JSON pointer to a label. */
  public static String label(String key) {
    return "/metadata/labels/" + escaped(key);
  }

  private static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static String unescaped(String key) {
    return key.replace("~1", "/").replace("~0", "~");
  }

  /** The path in dots, as people write it: {@code spec.replicas}. */
  public String field() {
    return field(path);
  }

  /** A path in dots, as people write it. */
  public static String field(String path) {
    String[] parts = path.substring(1).split("/", 3);
    String last = unescaped(parts[parts.length - 1]);
    return parts.length == 3 && parts[1].equals("annotations")
        ? "annotation " + last
        : String.join(".", parts).replace("/", ".");
  }
}
