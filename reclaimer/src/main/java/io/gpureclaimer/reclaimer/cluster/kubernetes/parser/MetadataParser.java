package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what all objects have in common: names, owners and annotations. */
public final class MetadataParser {
  private static final String MANIFEST_COPY = "kubectl.kubernetes.io/last-applied-configuration";

  private MetadataParser() {}

  /**
   * A namespace.
   *
   * @param teamLabel the label whose value is the namespace's team
   */
  public static NamespaceView namespace(Namespace namespace, Optional<String> teamLabel) {
    ObjectMeta metadata = namespace.getMetadata();
    return new NamespaceView(
        Objects.requireNonNull(metadata.getName(), "metadata.name"),
        annotationsOf(metadata),
        teamLabel.map(label -> asEmpty(metadata.getLabels()).get(label)));
  }

  /**
   * A namespace that is watched.
   *
   * @param labels all of its labels, by which terms of pod affinity select it
   */
  public record KnownNamespace(NamespaceView view, Map<String, String> labels) {
    public KnownNamespace {
      labels = Map.copyOf(labels);
    }

    /** See {@link MetadataParser#namespace}. */
    public static KnownNamespace of(Namespace namespace, Optional<String> teamLabel) {
      return new KnownNamespace(
          MetadataParser.namespace(namespace, teamLabel),
          asEmpty(namespace.getMetadata().getLabels()));
    }
  }

  /**
   * The object as an owner.
   *
   * @param apiVersion its group and version, which an object of a list does not say
   * @param fields JSON pointers of what to read in addition; empty for the metadata alone
   */
  public static OwnerView owner(
      HasMetadata object, String apiVersion, String kind, Optional<Set<String>> fields) {
    ObjectMeta metadata = object.getMetadata();
    Optional<Owner> controller = ownerOf(metadata);
    return new OwnerView(
        new Owner(
            apiVersion,
            kind,
            Objects.requireNonNull(metadata.getName(), "metadata.name"),
            Objects.requireNonNull(metadata.getUid(), "metadata.uid")),
        asEmpty(metadata.getNamespace()),
        controller,
        annotations(metadata, controller),
        fields.map(paths -> ObjectParser.details(ObjectParser.tree(object), paths)));
  }

  /** A Deployment copies its annotations to its ReplicaSet, where those that it loses remain. */
  private static Map<String, String> annotations(ObjectMeta metadata, Optional<Owner> controller) {
    return controller.filter(owner -> "Deployment".equals(owner.kind())).isPresent()
        ? Map.of()
        : annotationsOf(metadata);
  }

  /** The reference to the controller, otherwise to the first owner. */
  static Optional<OwnerReference> ownerReference(ObjectMeta metadata) {
    List<OwnerReference> all = metadata.getOwnerReferences();
    return all.stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }

  static Optional<Owner> ownerOf(ObjectMeta metadata) {
    return ownerReference(metadata).map(MetadataParser::owner);
  }

  private static Owner owner(OwnerReference reference) {
    return new Owner(
        asEmpty(reference.getApiVersion()).intern(),
        reference.getKind().intern(),
        reference.getName(),
        reference.getUid());
  }

  /** The annotations without the copy of the manifest that kubectl writes, which can be large. */
  static Map<String, String> annotationsOf(ObjectMeta metadata) {
    return asEmpty(metadata.getAnnotations()).entrySet().stream()
        .filter(entry -> !entry.getKey().equals(MANIFEST_COPY))
        .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
  }

  /** What the API omits or sends as null, as an empty map. */
  static Map<String, String> asEmpty(@Nullable Map<String, ? extends @Nullable String> map) {
    if (map == null) {
      return Map.of();
    }
    return map.entrySet().stream()
        .filter(entry -> entry.getValue() != null)
        .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
  }

  static String asEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
