package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.Group;
import io.gpureclaimer.reclaimer.cluster.Owner;

/** Why an idle workload is only reported on. */
public sealed interface ReportOnly {

  /** The mode is report. */
  record ModeIsReport(Origin origin) implements ReportOnly {}

  /** An annotation cannot be understood. */
  record PolicyDistrusted(Remark remark) implements ReportOnly {}

  /** Its owner would recreate an evicted pod, which would take a GPU again. */
  record OwnerWouldRecreate(Owner owner) implements ReportOnly {}

  /** One of its owners could not be read, so nobody knows what an act would lead to. */
  record OwnerUnread(Owner owner) implements ReportOnly {}

  /** Its pods are of use only together, and no owner stands for them. */
  record GroupOfPods(Group group) implements ReportOnly {}
}
