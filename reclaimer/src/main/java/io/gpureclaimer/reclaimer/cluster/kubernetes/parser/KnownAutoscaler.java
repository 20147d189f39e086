package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An autoscaler and what it scales.
 *
 * @param target of the autoscaler
 * @param autoscaler without what no action needs
 */
public record KnownAutoscaler(ScaleTarget target, Autoscaler autoscaler) {
  private static final Set<String> PAUSES = Set.of(Autoscaler.PAUSED, Autoscaler.PAUSED_REPLICAS);

  /**
   * The object that an autoscaler scales; its version does not matter.
   *
   * @param kind with its group, for example {@code Deployment.apps}
   */
  public record ScaleTarget(String namespace, String kind, String name) {

    /** An owner as a target. */
    public static ScaleTarget of(OwnerView view) {
      return new ScaleTarget(view.namespace(), view.owner().qualifiedKind(), view.owner().name());
    }

    private static ScaleTarget of(HasMetadata scaler, String apiVersion, String kind, String name) {
      return new ScaleTarget(
          scaler.getMetadata().getNamespace(),
          new Owner(apiVersion, kind, name, "").qualifiedKind().intern(),
          name);
    }
  }

  /** The autoscaler; empty for one that belongs to a ScaledObject, which stands for both. */
  public static Optional<KnownAutoscaler> of(HorizontalPodAutoscaler scaler) {
    boolean isOfKeda =
        MetadataParser.ownerOf(scaler.getMetadata())
            .filter(owner -> owner.kind().equals(Autoscaler.SCALED_OBJECT))
            .isPresent();
    if (isOfKeda) {
      return Optional.empty();
    }
    CrossVersionObjectReference target = scaler.getSpec().getScaleTargetRef();
    return Optional.of(
        new KnownAutoscaler(
            ScaleTarget.of(
                scaler,
                MetadataParser.asEmpty(target.getApiVersion()),
                target.getKind(),
                target.getName()),
            new Autoscaler(ref(scaler, "autoscaling/v2", "HorizontalPodAutoscaler"), Map.of())));
  }

  /** A ScaledObject, whose target is a Deployment unless it says otherwise. */
  public static KnownAutoscaler ofScaledObject(GenericKubernetesResource scaler) {
    return new KnownAutoscaler(
        ScaleTarget.of(
            scaler,
            target(scaler, "apiVersion").orElse("apps/v1"),
            target(scaler, "kind").orElse("Deployment"),
            target(scaler, "name").orElse("")),
        new Autoscaler(
            ref(scaler, "keda.sh/v1alpha1", Autoscaler.SCALED_OBJECT),
            MetadataParser.annotationsOf(scaler.getMetadata()).entrySet().stream()
                .filter(annotation -> PAUSES.contains(annotation.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue))));
  }

  private static Optional<String> target(GenericKubernetesResource scaler, String member) {
    return Optional.ofNullable(scaler.<String>get("spec", "scaleTargetRef", member))
        .filter(text -> !text.isEmpty());
  }

  private static ObjectRef ref(HasMetadata object, String apiVersion, String kind) {
    ObjectMeta metadata = object.getMetadata();
    return new ObjectRef(
        apiVersion,
        kind,
        metadata.getNamespace(),
        metadata.getName(),
        Objects.requireNonNull(metadata.getUid(), "metadata.uid"));
  }
}
