package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import io.gpureclaimer.reclaimer.evidence.PodName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Under which labels a series says which pod holds which GPU.
 *
 * @param style how they came to be
 * @param uid where the pod's UID stands, if it is told
 */
record PodLabels(Style style, Optional<String> uid) {

  /** The ways of naming a pod. */
  enum Style {
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

    Style(String code, String namespace, String pod, String uuid) {
      this.code = code;
      this.namespace = namespace;
      this.pod = pod;
      this.uuid = uuid;
    }

    /** The name in the configuration. */
    String code() {
      return code;
    }

    String namespace() {
      return namespace;
    }

    String pod() {
      return pod;
    }

    /** Series of this style that name a pod; none of them is of another style. */
    String matcher() {
      return switch (this) {
        case PLAIN -> pod + "!=\"\",exported_pod=\"\"";
        case EXPORTED, OLD -> pod + "!=\"\"";
      };
    }
  }

  /** What the ledger and the recording rules have. */
  static PodLabels canonical() {
    return new PodLabels(Style.PLAIN, Optional.of(Labels.POD_UID));
  }

  String uuid() {
    return style.uuid;
  }

  /** All of them, to group by. */
  List<String> all() {
    var labels =
        new ArrayList<>(List.of(style.namespace, style.pod, style.uuid, Labels.GPU_INSTANCE_ID));
    uid.ifPresent(labels::add);
    return labels;
  }

  /** The pod of a series: by UID if it has one, else by name. */
  Optional<PodKey> pod(Map<String, String> labels) {
    Optional<PodKey> byUid =
        uid.map(labels::get).filter(value -> !value.isBlank()).map(PodKey.Uid::new);
    return byUid.or(() -> named(labels));
  }

  private Optional<PodKey> named(Map<String, String> labels) {
    String namespace = labels.get(style.namespace);
    String pod = labels.get(style.pod);
    return namespace == null || pod == null
        ? Optional.empty()
        : Optional.of(new PodKey.Named(new PodName(namespace, pod)));
  }

  /** The device of a series. */
  Label device(Map<String, String> labels) {
    return new Label(labels.get(style.uuid), labels.get(Labels.GPU_INSTANCE_ID));
  }

  /** The series of a pod that is known by its name. */
  String matcher(PodName name) {
    return Promql.equal(style.namespace, name.namespace())
        + ","
        + Promql.equal(style.pod, name.name());
  }
}
