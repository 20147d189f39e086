package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.core.vocabulary.Annotations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads the annotations of one object. What it does not understand it does not guess: it remarks on
 * it. Confined to one reading.
 */
final class AnnotationReader {
  private static final String MODE_RULE =
      "must be off, report, notify, on-demand or always; only reported on until then";
  private static final String DURATION_RULE = DurationText.RULE + "; only reported on until then";
  private static final String EXCLUDE_RULE = "must be true or false; only reported on until then";

  private final String object;
  private final Map<String, String> annotations;
  private final List<Remark> remarks = new ArrayList<>();

  private AnnotationReader(String object, Map<String, String> annotations) {
    this.object = object;
    this.annotations = new TreeMap<>(annotations);
  }

  /** What the object asks for. */
  static Wishes read(String object, Map<String, String> annotations) {
    return new AnnotationReader(object, annotations).read();
  }

  private Wishes read() {
    remarkOnUnknownKeys();
    Optional<Mode> mode = value(Annotations.MODE, Mode::of, MODE_RULE);
    Optional<Duration> idleAfter =
        value(Annotations.IDLE_AFTER, DurationText::parse, DURATION_RULE);
    Optional<Duration> warnBefore =
        value(Annotations.WARN_BEFORE, DurationText::parse, DURATION_RULE);
    Optional<Boolean> exclude = value(Annotations.EXCLUDE, AnnotationReader::truth, EXCLUDE_RULE);
    return new Wishes(object, mode, idleAfter, warnBefore, exclude.orElse(false), remarks);
  }

  private void remarkOnUnknownKeys() {
    annotations.keySet().stream()
        .filter(key -> key.startsWith(Annotations.PREFIX))
        .filter(key -> !KnownKeys.POLICY.contains(key) && !KnownKeys.STATE.contains(key))
        .forEach(key -> remark(key, unknownKeyRule(key)));
  }

  private <T> Optional<T> value(String key, Function<String, Optional<T>> parse, String rule) {
    Optional<String> text = Optional.ofNullable(annotations.get(key));
    Optional<T> value = text.flatMap(parse);
    if (text.isPresent() && value.isEmpty()) {
      remark(key, rule);
    }
    return value;
  }

  private void remark(String key, String rule) {
    remarks.add(new Remark(object, key, annotations.getOrDefault(key, ""), rule));
  }

  /** It may be a misspelt exclude, so it counts as much as a malformed value. */
  private static String unknownKeyRule(String key) {
    return "no such annotation, did you mean "
        + NearestKey.to(key)
        + "? only reported on until then";
  }

  private static Optional<Boolean> truth(String text) {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
