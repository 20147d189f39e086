package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Mode with which each namespace is evaluated. One that never acts would take nothing, which is no
 * news, so that it is played as if it had another. What is off stays off, and what cannot be
 * understood stays distrusted.
 *
 * @param byDefault the mode of a namespace that names none
 * @param instead the mode to play instead of report and notify
 */
public record ModeOverride(Mode byDefault, Mode instead) {

  /** Mode of a namespace, and its override. */
  public record OverriddenMode(String mode, Optional<Mode> instead) {
    @Override
    public String toString() {
      return instead.map(other -> mode + " (as if " + other.text() + ")").orElse(mode);
    }
  }

  /** The mode that is played. */
  OverriddenMode mode(NamespaceView namespace) {
    String written = namespace.annotations().getOrDefault(Annotations.MODE, byDefault.text());
    return new OverriddenMode(
        written,
        Mode.of(written)
            .filter(mode -> mode == Mode.REPORT || mode == Mode.NOTIFY)
            .filter(mode -> mode != instead)
            .map(_ -> instead));
  }

  /** The namespace as it is played. */
  NamespaceView of(NamespaceView namespace) {
    return mode(namespace)
        .instead()
        .map(
            other -> {
              Map<String, String> annotations = new HashMap<>(namespace.annotations());
              annotations.put(Annotations.MODE, other.text());
              return new NamespaceView(namespace.name(), annotations, namespace.team());
            })
        .orElse(namespace);
  }
}
