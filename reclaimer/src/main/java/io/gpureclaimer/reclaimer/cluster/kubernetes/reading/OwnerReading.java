package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads an object of any kind as the owner of others: nothing but its metadata is looked at. */
public final class OwnerReading {
  private static final String DEPLOYMENT = "Deployment";

  private OwnerReading() {}

  /**
   * The object as an owner.
   *
   * @param apiVersion its group and version, which an object of a list does not say
   * @param kind its kind, likewise
   */
  public static OwnerView of(HasMetadata object, String apiVersion, String kind) {
    ObjectMeta metadata = object.getMetadata();
    Optional<Owner> controller = Owners.of(metadata);
    return new OwnerView(
        new Owner(
            apiVersion,
            kind,
            Objects.requireNonNull(metadata.getName(), "metadata.name"),
            Objects.requireNonNull(metadata.getUid(), "metadata.uid")),
        Absent.asEmpty(metadata.getNamespace()),
        controller,
        annotations(metadata, controller));
  }

  /** A Deployment copies its annotations to its ReplicaSet, where those that it loses remain. */
  private static Map<String, String> annotations(ObjectMeta metadata, Optional<Owner> controller) {
    return controller.filter(owner -> DEPLOYMENT.equals(owner.kind())).isPresent()
        ? Map.of()
        : WrittenAnnotations.of(metadata);
  }
}
