package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Labels by which a series names a pod and its device.
 *
 * @param style the origin of the labels
 * @param uid the label of the pod's UID, if there is one
 */
public record PodLabelNames(PodLabelStyle style, Optional<String> uid) {

  /** All labels that may name the pod of a series of the ledger or the rules. */
  public static final Set<String> NAMES =
      Set.of(
          Labels.NAMESPACE,
          Labels.POD,
          "exported_" + Labels.NAMESPACE,
          "exported_" + Labels.POD,
          Labels.POD_UID);

  /** A matcher of series without the pod's UID. */
  public static final String WITHOUT_UID = "pod_uid=\"\",exported_pod_uid=\"\"";

  /** The ways of naming a pod. */
  public enum PodLabelStyle {
    /** The exporter's labels as they are, with {@code honor_labels} or a target without any. */
    PLAIN("plain", Labels.NAMESPACE, Labels.POD, Labels.UUID),
    /** Renamed by a scrape without {@code honor_labels}: {@code pod} is the exporter's own. */
    EXPORTED("exported", "exported_" + Labels.NAMESPACE, "exported_" + Labels.POD, Labels.UUID),
    /** Those of the 1.x exporters. */
    OLD("old", "pod_namespace", "pod_name", "uuid");

    private final String code;
    private final String namespace;
    private final String pod;
    private final String uuid;

    PodLabelStyle(String code, String namespace, String pod, String uuid) {
      this.code = code;
      this.namespace = namespace;
      this.pod = pod;
      this.uuid = uuid;
    }

    /** The style of a name in the configuration. */
    public static PodLabelStyle of(String code) {
      return Stream.of(values())
          .filter(style -> style.code.equals(code))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "labels must be plain, exported or old, was " + code));
    }

    /** The name in the configuration. */
    public String code() {
      return code;
    }

    public String namespace() {
      return namespace;
    }

    public String pod() {
      return pod;
    }

    /** Series of this style that name a pod; none of them is of another style. */
    public String matcher() {
      return switch (this) {
        case PLAIN -> pod + "!=\"\",exported_pod=\"\"";
        case EXPORTED, OLD -> pod + "!=\"\"";
      };
    }
  }

  /** Series of the pods of some namespaces, with either the plain or the exported label. */
  public static String ofNamespaces(List<String> names, Collection<String> namespaces) {
    String exported = PodLabelStyle.EXPORTED.namespace;
    return PromQl.select(
            names, PromQl.oneOf(Labels.NAMESPACE, namespaces) + "," + PromQl.equal(exported, ""))
        + " or "
        + PromQl.select(names, PromQl.oneOf(exported, namespaces));
  }

  /** The labels of the ledger and of the recording rules. */
  public static PodLabelNames canonical() {
    return new PodLabelNames(PodLabelStyle.PLAIN, Optional.of(Labels.POD_UID));
  }

  public String uuid() {
    return style.uuid;
  }

  /** All of them, to group by. */
  public List<String> all() {
    var labels =
        new ArrayList<>(List.of(style.namespace, style.pod, style.uuid, Labels.GPU_INSTANCE_ID));
    uid.ifPresent(labels::add);
    return labels;
  }

  /** The pod and device of a series: the pod by UID if the series has one, otherwise by name. */
  public Optional<PodDevice> podDevice(Map<String, String> labels) {
    return device(labels).flatMap(device -> pod(labels).map(pod -> new PodDevice(pod, device)));
  }

  /** The pod of a series by UID. */
  public Optional<PodKey> byUid(Map<String, String> labels) {
    return uid.flatMap(label -> present(labels, label)).map(PodKey.Uid::new);
  }

  /** The pod of a series by UID if the series has one, otherwise by name. */
  private Optional<PodKey> pod(Map<String, String> labels) {
    return byUid(labels).or(() -> name(labels).map(PodKey.Named::new));
  }

  /** The name of a series' pod. */
  public Optional<PodName> name(Map<String, String> labels) {
    return present(labels, style.namespace)
        .flatMap(namespace -> present(labels, style.pod).map(pod -> new PodName(namespace, pod)));
  }

  private static Optional<String> present(Map<String, String> labels, String label) {
    return Optional.ofNullable(labels.get(label)).filter(value -> !value.isBlank());
  }

  /** The device of a series; empty if its labels name none. */
  public Optional<Entity> device(Map<String, String> labels) {
    return device(labels, style.uuid);
  }

  static Optional<Entity> device(Map<String, String> labels, String uuid) {
    String instance = labels.getOrDefault(Labels.GPU_INSTANCE_ID, "");
    Optional<GpuUuid> gpu = present(labels, uuid).map(GpuUuid::new);
    if (instance.isEmpty()) {
      return gpu.map(Entity::whole);
    }
    return gpu.filter(_ -> instance.matches("\\d{1,6}"))
        .map(whole -> Entity.instance(whole, Integer.parseInt(instance)));
  }

  /** The oddity of a series without a pod or a device. */
  public String missing(String what, Map<String, String> labels) {
    return missing(what, labels, pod(labels));
  }

  /**
   * The same.
   *
   * @param pod the pod, if the series has one
   */
  public String missing(String what, Map<String, String> labels, Optional<PodKey> pod) {
    String instance = labels.getOrDefault(Labels.GPU_INSTANCE_ID, "");
    return what
        + " without pod_uid or UUID: pod_uid "
        + pod.map(PodKey::text).or(() -> uid.map(labels::get)).orElse("null")
        + ", UUID "
        + labels.get(style.uuid)
        + (instance.isEmpty() ? "" : ", GPU_I_ID " + instance);
  }

  /** The series of a pod that is known by its name. */
  public String matcher(PodName name) {
    return PromQl.equal(style.namespace, name.namespace())
        + ","
        + PromQl.equal(style.pod, name.name());
  }
}
