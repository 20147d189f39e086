package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whom to notify, by the names that the configuration gives them. */
record ReceiverNames(List<String> names) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

  ReceiverNames {
    names = List.copyOf(names);
  }

  /** Remarks on names that are not configured; a workload with such a name is not acted on. */
  static List<Remark> strangers(AnnotationValues annotations, PolicyDefaults defaults) {
    return annotations
        .of(PolicyKeys.NOTIFY)
        .map(named -> strangers(named, annotations, defaults))
        .orElse(List.of());
  }

  private static List<Remark> strangers(
      ReceiverNames named, AnnotationValues annotations, PolicyDefaults defaults) {
    return named.names().stream()
        .filter(name -> defaults.receivers().filter(known -> !known.contains(name)).isPresent())
        .map(
            name ->
                new Remark(
                    annotations.object(),
                    Annotations.NOTIFY,
                    name,
                    "must be a configured receiver; " + Remark.UNTIL_THEN))
        .toList();
  }

  /** The names, or nothing where the text is not exactly some. */
  static Optional<ReceiverNames> of(String text) {
    List<String> names = List.of(text.split(", ?", -1));
    return names.stream().allMatch(name -> NAME.matcher(name).matches())
        ? Optional.of(new ReceiverNames(names))
        : Optional.empty();
  }
}
