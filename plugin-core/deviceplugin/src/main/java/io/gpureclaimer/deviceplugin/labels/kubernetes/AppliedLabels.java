package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.labels.kubernetes.NodeFeatureTarget.FeatureOwner;
import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import io.gpureclaimer.deviceplugin.publication.Published.Contested;
import io.gpureclaimer.deviceplugin.publication.kubernetes.ApiFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes labels by server-side apply, under a name of its own: labels of others stay, labels of
 * ours that are no longer wanted go. The API server's own record of owners is what is known of
 * earlier runs. Blocks for as long as the client's requests take; for one thread.
 */
public final class AppliedLabels implements PublicationSink<NodeLabels> {
  private final KubernetesClient client;
  private final LabelTarget place;
  private final String manager;
  private final boolean force;

  private AppliedLabels(KubernetesClient client, LabelTarget place, String manager, boolean force) {
    this.client = client;
    this.place = place;
    this.manager = manager;
    this.force = force;
  }

  /**
   * Labels of the Node itself.
   *
   * @param client makes each call once
   * @param node its name
   * @param manager under which the API server keeps what is ours
   * @param force whether labels that another manager set to other values are taken over
   */
  public static AppliedLabels onNode(
      KubernetesClient client, String node, String manager, boolean force) {
    return new AppliedLabels(client, new NodeLabelTarget(node), manager, force);
  }

  /**
   * Labels for Node Feature Discovery's master, in an object named as NVIDIA's feature discovery
   * names it.
   *
   * @param client makes each call once
   * @param node the name of the Node that gets the labels
   * @param namespace where the object is
   * @param owners the objects with which it goes; with none it stays when the agent is taken off
   * @param manager under which the API server keeps what is ours
   * @param force whether labels that another manager set to other values are taken over
   */
  public static AppliedLabels onNodeFeature(
      KubernetesClient client,
      String node,
      String namespace,
      List<FeatureOwner> owners,
      String manager,
      boolean force) {
    return new AppliedLabels(
        client, new NodeFeatureTarget(node, namespace, owners), manager, force);
  }

  @Override
  public String target() {
    return place.describe();
  }

  @Override
  public Published publish(NodeLabels wanted) {
    try {
      @Nullable GenericKubernetesResource live = place.in(client).withName(place.name()).get();
      if (live == null) {
        return place.mayBeCreated()
            ? write(wanted.byKey(), null, List.of())
            : ApiFailure.noSuchNode(place);
      }
      return reconcile(wanted, live);
    } catch (KubernetesClientException e) {
      return ApiFailure.of(e, place);
    }
  }

  private Published reconcile(NodeLabels wanted, GenericKubernetesResource live) {
    FieldOwners owners = FieldOwners.of(live, place.way(), manager);
    Map<String, String> found = place.labels(live);
    List<Contested> contested = force ? List.of() : contested(wanted, found, owners);
    var ours = new TreeMap<>(wanted.byKey());
    contested.forEach(label -> ours.remove(label.key()));
    boolean same =
        owners.ours().equals(ours.keySet()) && found.entrySet().containsAll(ours.entrySet());
    return same ? new Published.Same(contested) : write(ours, live, contested);
  }

  private static List<Contested> contested(
      NodeLabels wanted, Map<String, String> found, FieldOwners owners) {
    List<Contested> contested = new ArrayList<>();
    wanted
        .byKey()
        .forEach(
            (key, value) -> {
              String theirs = found.get(key);
              List<String> holders = owners.others().get(key);
              if (theirs != null && !theirs.equals(value) && holders != null) {
                contested.add(new Contested(key, value, theirs, String.join(", ", holders)));
              }
            });
    return contested;
  }

  private Published write(
      Map<String, String> labels,
      @Nullable GenericKubernetesResource live,
      List<Contested> contested) {
    var apply = place.in(client).resource(place.manifest(labels, live)).fieldManager(manager);
    if (force) {
      apply.forceConflicts().serverSideApply();
    } else {
      apply.serverSideApply();
    }
    return new Published.Written(contested);
  }

  /**
   * Owners of the label fields, from the managed fields of the API server.
   *
   * @param ours the keys that our own applies own
   * @param others for each key, who else does
   */
  record FieldOwners(Set<String> ours, Map<String, List<String>> others) {
    private static final String APPLY = "Apply";
    private static final String FIELD = "f:";

    /**
     * @param way to the labels, in the spelling of the record
     * @param us the name under which we apply
     */
    static FieldOwners of(GenericKubernetesResource live, List<String> way, String us) {
      var ours = new HashSet<String>();
      var others = new HashMap<String, List<String>>();
      List<ManagedFieldsEntry> entries =
          Optional.ofNullable(live.getMetadata().getManagedFields()).orElse(List.of());
      for (ManagedFieldsEntry entry : entries) {
        boolean isOurs = us.equals(entry.getManager()) && APPLY.equals(entry.getOperation());
        for (String key : keys(entry.getFieldsV1(), way)) {
          if (isOurs) {
            ours.add(key);
          } else {
            others
                .computeIfAbsent(key, _ -> new ArrayList<>())
                .add(String.valueOf(entry.getManager()));
          }
        }
      }
      return new FieldOwners(ours, others);
    }

    private static Set<String> keys(@Nullable FieldsV1 fields, List<String> way) {
      @Nullable Object at = fields == null ? null : fields.getAdditionalProperties();
      for (String step : way) {
        at = at instanceof Map<?, ?> map ? map.get(step) : null;
      }
      var keys = new HashSet<String>();
      if (at instanceof Map<?, ?> map) {
        for (Object key : map.keySet()) {
          String text = String.valueOf(key);
          if (text.startsWith(FIELD)) {
            keys.add(text.substring(FIELD.length()));
          }
        }
      }
      return keys;
    }
  }
}
