package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Optional;

/**
 * The pod or owner that an explanation is about.
 *
 * @param kind in any case
 */
public record ExplainedObject(String namespace, String kind, String name) {
  private static final String POD = "pod";

  /** A pod. */
  public static ExplainedObject pod(String namespace, String name) {
    return new ExplainedObject(namespace, POD, name);
  }

  /** {@code NAMESPACE/POD} or {@code NAMESPACE/KIND/NAME}; empty for anything else. */
  public static Optional<ExplainedObject> parse(String text) {
    String[] parts = text.split("/", -1);
    if (List.of(parts).stream().anyMatch(part -> part.isEmpty() || part.contains(" "))) {
      return Optional.empty();
    }
    return switch (parts.length) {
      case 2 -> Optional.of(pod(parts[0], parts[1]));
      case 3 -> Optional.of(new ExplainedObject(parts[0], parts[1], parts[2]));
      default -> Optional.empty();
    };
  }

  /** Whether it is a pod of the workload, or an owner of one. */
  boolean isPartOf(Workload workload) {
    return workload.namespace().equals(namespace)
        && (kind.equalsIgnoreCase(POD)
            ? workload.allPods().stream().anyMatch(pod -> pod.ref().name().equals(name))
            : is(workload.kind(), workload.name())
                || workload.owners().values().stream()
                    .map(view -> view.owner())
                    .anyMatch((Owner owner) -> is(owner.kind(), owner.name())));
  }

  /** Why there is nothing to explain: no pods with GPUs, and perhaps a record of an action. */
  public String absence(CycleReport report) {
    List<Reclamation> records = records(report);
    return this
        + " requests no GPU or does not exist.\n"
        + (records.isEmpty() ? "" : "\n" + ReclamationTable.of(records, report.at()));
  }

  /** Records of actions on the owner or pod; none while they cannot be read. */
  public List<Reclamation> records(CycleReport report) {
    return report.cluster().reclamations().orElse(List.of()).stream()
        .filter(record -> record.status().filter(status -> is(status.owner())).isPresent())
        .toList();
  }

  private boolean is(ObjectRef object) {
    return object.namespace().equals(namespace) && is(object.kind(), object.name());
  }

  private boolean is(String otherKind, String otherName) {
    return otherKind.equalsIgnoreCase(kind) && otherName.equals(name);
  }

  @Override
  public String toString() {
    return kind + " " + namespace + "/" + name;
  }
}
