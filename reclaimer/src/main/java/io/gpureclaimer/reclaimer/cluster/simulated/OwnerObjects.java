package io.gpureclaimer.reclaimer.cluster.simulated;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.SharedMap;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The objects that own pods, as the API server keeps them. Confined to the cluster's lock. */
final class OwnerObjects {
  static final String REPLICAS = OwnerSpec.REPLICAS;

  private final Map<String, StoredOwner> entries = new HashMap<>();

  /** The same, as the API server shows them. */
  private SharedMap<String, OwnerView> views = SharedMap.empty();

  private final Map<String, Integer> deletions = new HashMap<>();
  private final Set<OwnerSpec.OwnerType> hidden = EnumSet.noneOf(OwnerSpec.OwnerType.class);

  /** An owner with the fields that actions change, and what it controls. */
  record StoredOwner(OwnerSpec.OwnerType kind, OwnerSpec spec, OwnerView view) {
    StoredOwner annotated(Map<String, Optional<String>> changes, String version) {
      return new StoredOwner(
              kind, spec, view.annotated(SimulatedApi.changed(view.annotations(), changes)))
          .with(view.details().orElseThrow().fields(), version);
    }

    StoredOwner with(Map<String, String> fields, String version) {
      return with(fields, version, Map.of());
    }

    /**
     * The same with other fields.
     *
     * @param writers who has written fields just now, by path
     */
    StoredOwner with(Map<String, String> fields, String version, Map<String, Set<String>> writers) {
      OwnerDetails now = view.details().orElseThrow();
      Map<String, Set<String>> managers = new HashMap<>(now.managers());
      managers.putAll(writers);
      return new StoredOwner(
          kind,
          spec,
          new OwnerView(
              view.owner(),
              view.namespace(),
              view.controller(),
              annotated(now.fields(), fields),
              Optional.of(
                  new OwnerDetails(
                      version,
                      isSameSpecification(now.fields(), fields)
                          ? now.generation()
                          : Optional.of(version),
                      now.labels(),
                      fields,
                      managers,
                      now.autoscalers()))));
    }

    /** The annotations, after a change of these fields. */
    private Map<String, String> annotated(Map<String, String> before, Map<String, String> after) {
      Map<String, String> annotations = new HashMap<>(view.annotations());
      before.keySet().stream()
          .flatMap(path -> annotationOf(path).stream())
          .forEach(annotations::remove);
      after.forEach(
          (path, json) ->
              annotationOf(path)
                  .ifPresent(key -> annotations.put(key, json.substring(1, json.length() - 1))));
      return annotations;
    }

    private static Optional<String> annotationOf(String path) {
      String start = FieldChange.annotation("");
      return path.startsWith(start)
          ? Optional.of(path.substring(start.length()).replace("~1", "/").replace("~0", "~"))
          : Optional.empty();
    }

    /** Whether these differ in nothing but the status. */
    private static boolean isSameSpecification(
        Map<String, String> before, Map<String, String> after) {
      return specification(before).equals(specification(after));
    }

    private static Map<String, String> specification(Map<String, String> fields) {
      return fields.entrySet().stream()
          .filter(field -> !field.getKey().startsWith("/status/"))
          .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** How many pods it is to run at most. */
    int replicas() {
      return view.details()
          .flatMap(details -> details.field(REPLICAS))
          .map(Integer::valueOf)
          .orElse(Integer.MAX_VALUE);
    }

    /** Whether it runs pods, by its fields. */
    boolean runs() {
      OwnerDetails details = view.details().orElseThrow();
      return !kind.isStoppedBy(details.field(kind.field()));
    }
  }

  /** The owner of a new pod; it and what is above it exist from now on. */
  Optional<Owner> of(PodSpec pod) {
    return pod.owner().map(owner -> put(pod.namespace(), owner));
  }

  void annotate(
      String namespace, OwnerSpec owner, Map<String, Optional<String>> changes, String version) {
    String uid = put(namespace, owner).uid();
    byUid(uid).ifPresent(entry -> store(uid, entry.annotated(changes, version)));
  }

  void delete(String namespace, OwnerSpec owner) {
    String uid = reference(namespace, owner).uid();
    entries.remove(uid);
    views = views.without(uid);
    deletions.merge(id(namespace, owner), 1, Integer::sum);
  }

  /** A new ScaledObject of this owner, which is paused by its annotations alone. */
  OwnerSpec scale(String namespace, OwnerSpec target) {
    var scaler = new OwnerSpec(OwnerSpec.OwnerType.SCALED_OBJECT, target.name());
    put(namespace, scaler);
    var autoscaler = new Autoscaler(find(namespace, scaler).orElseThrow().view().ref(), Map.of());
    String uid = put(namespace, target).uid();
    StoredOwner entry = entries.get(uid);
    if (entry != null) {
      store(
          uid,
          new StoredOwner(
              entry.kind(), entry.spec(), entry.view().scaledBy(Optional.of(List.of(autoscaler)))));
    }
    return scaler;
  }

  void hide(OwnerSpec.OwnerType kind) {
    hidden.add(kind);
  }

  /** The owner with this UID. */
  Optional<StoredOwner> byUid(String uid) {
    return Optional.ofNullable(entries.get(uid));
  }

  /**
   * Writes fields of an owner; a value that is empty removes the field. Who writes the value that a
   * field has already does not become its manager.
   */
  StoredOwner change(
      String uid, Map<String, Optional<String>> changes, String version, String manager) {
    StoredOwner before = byUid(uid).orElseThrow();
    OwnerDetails details = before.view().details().orElseThrow();
    Map<String, String> fields = SimulatedApi.changed(details.fields(), changes);
    Map<String, Set<String>> writers =
        changes.entrySet().stream()
            .filter(change -> !change.getValue().equals(details.field(change.getKey())))
            .collect(toUnmodifiableMap(Map.Entry::getKey, _ -> Set.of(manager)));
    StoredOwner after =
        before.with(
            changes.containsKey(REPLICAS) ? rolledOut(before.kind(), fields) : fields,
            version,
            writers);
    store(uid, after);
    return after;
  }

  /** The owner of this description. */
  Optional<StoredOwner> find(String namespace, OwnerSpec spec) {
    return byUid(reference(namespace, spec).uid());
  }

  /** Counts a pod among the replicas that the owner has to run. */
  void count(String namespace, OwnerSpec spec, long version) {
    find(namespace, spec)
        .filter(entry -> entry.kind().hasReplicas())
        .ifPresent(
            entry ->
                store(
                    entry.view().owner().uid(),
                    entry.with(oneMore(entry), Long.toString(version))));
  }

  private void store(String uid, StoredOwner entry) {
    entries.put(uid, entry);
    views = views.with(uid, entry.view());
  }

  private static Map<String, String> oneMore(StoredOwner entry) {
    Map<String, String> fields = new HashMap<>(entry.view().details().orElseThrow().fields());
    int before = Integer.parseInt(fields.getOrDefault(REPLICAS, "0"));
    fields.put(REPLICAS, Integer.toString(before + 1));
    return rolledOut(entry.kind(), fields);
  }

  /** The controller of a Deployment has all its replicas at once. */
  private static Map<String, String> rolledOut(
      OwnerSpec.OwnerType kind, Map<String, String> fields) {
    if (kind != OwnerSpec.OwnerType.DEPLOYMENT) {
      return fields;
    }
    Map<String, String> all = new HashMap<>(fields);
    List.of("/metadata/generation", "/status/observedGeneration").forEach(it -> all.put(it, "1"));
    List.of("/status/replicas", "/status/updatedReplicas", "/status/readyReplicas")
        .forEach(count -> all.put(count, fields.getOrDefault(REPLICAS, "1")));
    return all;
  }

  /** By UID, those that can be read. */
  Map<String, OwnerView> readable() {
    if (hidden.isEmpty()) {
      return views;
    }
    Map<String, OwnerView> some = new HashMap<>(views);
    some.keySet().removeIf(uid -> hidden.contains(byUid(uid).orElseThrow().kind()));
    return some;
  }

  private Owner put(String namespace, OwnerSpec spec) {
    Owner owner = reference(namespace, spec);
    if (!entries.containsKey(owner.uid())) {
      Optional<Owner> controller = spec.above().map(above -> put(namespace, above));
      var details =
          new OwnerDetails(
              "1", Optional.of("1"), Map.of(), Map.of(), Map.of(), Optional.of(List.of()));
      var view = new OwnerView(owner, namespace, controller, Map.of(), Optional.of(details));
      store(owner.uid(), new StoredOwner(spec.kind(), spec, view));
    }
    return owner;
  }

  /** An owner that is created after one of the same name was deleted has another UID. */
  private Owner reference(String namespace, OwnerSpec spec) {
    String id = id(namespace, spec);
    String unique = deletions.containsKey(id) ? id + "/" + deletions.get(id) : id;
    return new Owner(
        spec.kind().apiVersion(),
        spec.kind().kubernetesName(),
        spec.name(),
        UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.UTF_8)).toString());
  }

  private static String id(String namespace, OwnerSpec spec) {
    return namespace + "/" + spec.kind() + "/" + spec.name();
  }
}
