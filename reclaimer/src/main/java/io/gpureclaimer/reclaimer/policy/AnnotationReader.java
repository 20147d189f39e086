package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.ValueGrammar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the annotations of one object. What it does not understand it does not guess: it remarks on
 * it. Confined to one reading.
 */
public final class AnnotationReader {
  private static final Set<String> LAST_ACTIVITY =
      Set.of(Annotations.LAST_ACTIVITY, PolicyKeys.NOTEBOOK_LAST_ACTIVITY.name());

  private final String object;
  private final AnnotatedKind place;
  private final Map<String, String> annotations;
  private final Map<String, Object> values = new HashMap<>();
  private final List<Remark> remarks = new ArrayList<>();

  private AnnotationReader(String object, AnnotatedKind place, Map<String, String> annotations) {
    this.object = object;
    this.place = place;
    this.annotations = new TreeMap<>(annotations);
  }

  /** What the object asks for. */
  static AnnotationValues read(
      String object, AnnotatedKind place, Map<String, String> annotations) {
    if (annotations.keySet().stream().noneMatch(AnnotationReader::concernsUs)) {
      return new AnnotationValues(object, Map.of(), List.of());
    }
    return new AnnotationReader(object, place, annotations).read();
  }

  /** Whether the annotation may ask for something. */
  public static boolean concernsUs(String key) {
    return key.startsWith(Annotations.PREFIX)
        || key.equals(PolicyKeys.NOTEBOOK_LAST_ACTIVITY.name());
  }

  /**
   * The annotations of today as they probably were at a moment in the past: without our warnings,
   * and without times of activity after that moment.
   */
  public static Map<String, String> annotationsAt(Instant moment, Map<String, String> today) {
    Map<String, String> past = new HashMap<>(today);
    past.keySet().removeAll(PolicyKeys.STATE);
    past.entrySet()
        .removeIf(
            entry -> LAST_ACTIVITY.contains(entry.getKey()) && isAfter(entry.getValue(), moment));
    return past;
  }

  private static boolean isAfter(String written, Instant moment) {
    Optional<Instant> time = ValueGrammar.instant(written);
    return time.filter(moment::isBefore).isPresent();
  }

  private AnnotationValues read() {
    annotations.keySet().stream()
        .filter(key -> key.startsWith(Annotations.PREFIX) && !PolicyKeys.STATE.contains(key))
        .forEach(
            name ->
                PolicyKeys.named(name)
                    .ifPresentOrElse(this::read, () -> remark(name, unknownKey(name))));
    takeGraceForWarnBefore();
    readNotebookActivity();
    return new AnnotationValues(object, values, remarks);
  }

  private void read(PolicyKey<?> key) {
    Optional<?> value = key.parse().apply(annotations.getOrDefault(key.name(), ""));
    if (!key.places().contains(place)) {
      remark(key.name(), "must not be on " + place.text() + "; " + Remark.UNTIL_THEN);
    } else if (value.isEmpty()) {
      remark(key.name(), key.rule() + "; " + Remark.UNTIL_THEN);
    } else {
      values.put(key.name(), value.get());
    }
  }

  private void takeGraceForWarnBefore() {
    Object grace = values.get(Annotations.GRACE);
    Object warnBefore = grace == null ? null : values.putIfAbsent(Annotations.WARN_BEFORE, grace);
    if (warnBefore != null && !warnBefore.equals(grace)) {
      String rule = "must not differ from " + Annotations.WARN_BEFORE + ", which is the same; ";
      remark(Annotations.GRACE, rule + Remark.UNTIL_THEN);
    }
  }

  /** Whatever else carries that annotation was not written by Kubeflow. */
  private void readNotebookActivity() {
    if (place == AnnotatedKind.OWNER
        && annotations.containsKey(PolicyKeys.NOTEBOOK_LAST_ACTIVITY.name())) {
      read(PolicyKeys.NOTEBOOK_LAST_ACTIVITY);
    }
  }

  private void remark(String key, String rule) {
    remarks.add(new Remark(object, key, annotations.getOrDefault(key, ""), rule));
  }

  /** It may be a misspelt exclude, so it counts as much as a malformed value. */
  private static String unknownKey(String key) {
    return "no such annotation, did you mean " + PolicyKeys.nearest(key) + "? " + Remark.UNTIL_THEN;
  }

  /** Kind of an object with annotations. */
  public enum AnnotatedKind {
    NAMESPACE("a namespace"),
    OWNER("an owner of pods"),
    POD("a pod");

    private final String text;

    AnnotatedKind(String text) {
      this.text = text;
    }

    /** For people. */
    String text() {
      return text;
    }
  }

  /**
   * Valid annotations of one object.
   *
   * @param object that has them, for example {@code pod ml/train-0}
   * @param values by the name of their key
   * @param notUnderstood the annotations that cannot be understood, by key
   */
  public record AnnotationValues(
      String object, Map<String, Object> values, List<Remark> notUnderstood) {
    public AnnotationValues {
      values = Map.copyOf(values);
      notUnderstood = List.copyOf(notUnderstood);
    }

    /** What it asks for with this key. */
    <T> Optional<T> of(PolicyKey<T> key) {
      return Optional.ofNullable(values.get(key.name())).map(key.type()::cast);
    }

    /** What it asks for with this key, and that it does. */
    <T> Optional<Setting<T>> setting(PolicyKey<T> key) {
      return of(key).map(value -> new Setting<>(value, new Origin.Annotation(object)));
    }

    /**
     * Policy annotations of one pod, by layer.
     *
     * @param near the pod and its owners, nearest first
     * @param namespace the namespace, which belongs to the administrator
     */
    record PolicyLayers(List<AnnotationValues> near, AnnotationValues namespace) {
      PolicyLayers {
        near = List.copyOf(near);
      }

      /** The name of the namespace. */
      String namespaceName() {
        return Policies.namespaceOf(namespace);
      }

      /** All of them, nearest first. */
      List<AnnotationValues> all() {
        List<AnnotationValues> all = new ArrayList<>(near);
        all.add(namespace);
        return all;
      }

      /** What the nearest one that says anything asks for. */
      <T> Optional<Setting<T>> nearest(PolicyKey<T> key) {
        // Asked a dozen times for each pod: a loop takes a tenth of a stream's time.
        for (AnnotationValues annotations : near) {
          Optional<Setting<T>> setting = annotations.setting(key);
          if (setting.isPresent()) {
            return setting;
          }
        }
        return namespace.setting(key);
      }
    }
  }
}
