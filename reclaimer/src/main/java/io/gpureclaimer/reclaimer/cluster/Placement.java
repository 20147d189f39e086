package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a pod may run.
 *
 * @param nodeSelector labels that a node must have
 * @param nodeTerms of which a node must meet one; empty where the pod requires no node affinity
 * @param constrainedFurther a rule that is not understood, about nodes or about other pods; whether
 *     a node suits such a pod is unknown
 */
public record Placement(
    Map<String, String> nodeSelector,
    List<Toleration> tolerations,
    Optional<List<NodeTerm>> nodeTerms,
    boolean constrainedFurther) {

  /** Anywhere. */
  public static final Placement ANYWHERE = new Placement(Map.of(), List.of(), false);

  public Placement {
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = List.copyOf(tolerations);
    nodeTerms = nodeTerms.map(List::copyOf);
  }

  /** Without node affinity. */
  public Placement(
      Map<String, String> nodeSelector, List<Toleration> tolerations, boolean constrainedFurther) {
    this(nodeSelector, tolerations, Optional.empty(), constrainedFurther);
  }

  /** Whether one of the tolerations covers the taint. */
  boolean tolerates(Taint taint) {
    for (Toleration toleration : tolerations) {
      if (toleration.covers(taint)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node meets one of the terms. */
  boolean allows(NodeView node) {
    if (nodeTerms.isEmpty()) {
      return true;
    }
    for (NodeTerm term : nodeTerms.get()) {
      if (term.isMet(node)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Requirements on a node, all of which it must meet; one without any is met by no node.
   *
   * @param labels requirements on its labels
   * @param fields requirements on its fields, of which Kubernetes knows {@code metadata.name}
   */
  public record NodeTerm(List<LabelRequirement> labels, List<LabelRequirement> fields) {
    /** The only field. */
    public static final String NAME = "metadata.name";

    public NodeTerm {
      labels = List.copyOf(labels);
      fields = List.copyOf(fields);
    }

    private boolean isMet(NodeView node) {
      return !(labels.isEmpty() && fields.isEmpty())
          && labels.stream().allMatch(each -> each.isMet(node.labels()))
          && fields.stream().allMatch(each -> each.isMet(Map.of(NAME, node.name())));
    }
  }

  /**
   * A taint that a pod tolerates, with Kubernetes' meaning of empty fields: an empty key tolerates
   * all keys, an empty effect all effects.
   *
   * @param key the taint's key, or empty
   * @param anyValue whether the operator is {@code Exists}
   * @param value the taint's value when the operator is {@code Equal}
   * @param effect the taint's effect, or empty
   */
  public record Toleration(String key, boolean anyValue, String value, String effect) {

    /** Whether this toleration covers the taint. */
    public boolean covers(Taint taint) {
      boolean sameKey = key.isEmpty() ? anyValue : key.equals(taint.key());
      boolean sameValue = anyValue || value.equals(taint.value());
      boolean sameEffect = effect.isEmpty() || effect.equals(taint.effect());
      return sameKey && sameValue && sameEffect;
    }
  }
}
