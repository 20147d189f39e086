package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requirement of a selector on one label.
 *
 * @param operator as Kubernetes names it; NodeClaims of Karpenter have {@code Gte} and {@code Lte}
 *     instead of {@code Gt} and {@code Lt}
 */
public record LabelRequirement(String key, String operator, Set<String> values) {
  private static final Set<String> OPERATORS =
      Set.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Gte", "Lt", "Lte");

  public LabelRequirement {
    values = Set.copyOf(values);
  }

  /** Whether the operator is known, so that the answer of {@link #isMet} is certain. */
  public boolean isKnown() {
    return OPERATORS.contains(operator);
  }

  /** Whether labels meet it. An operator that is not known may be met. */
  public boolean isMet(Map<String, String> labels) {
    boolean listed = labels.containsKey(key) && values.contains(labels.get(key));
    return switch (operator) {
      case "In" -> listed;
      case "NotIn" -> !listed;
      case "Exists" -> labels.containsKey(key);
      case "DoesNotExist" -> !labels.containsKey(key);
      case "Gt" -> compare(labels).filter(order -> order > 0).isPresent();
      case "Gte" -> compare(labels).filter(order -> order >= 0).isPresent();
      case "Lt" -> compare(labels).filter(order -> order < 0).isPresent();
      case "Lte" -> compare(labels).filter(order -> order <= 0).isPresent();
      default -> true;
    };
  }

  /** Of the label with the only value; empty where one of them is no number. */
  private Optional<Integer> compare(Map<String, String> labels) {
    Optional<Long> label = Optional.ofNullable(labels.get(key)).flatMap(LabelRequirement::number);
    Optional<Long> limit = values.stream().findFirst().flatMap(LabelRequirement::number);
    return label.flatMap(number -> limit.map(number::compareTo));
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
