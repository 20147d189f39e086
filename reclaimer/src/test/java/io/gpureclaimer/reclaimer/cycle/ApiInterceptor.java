package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The wire between one replica and the cluster: it writes down every call but the looks, counts
 * these, lets something happen just before or just after one, and fails a test in which a replica
 * who does not lead wants to write.
 */
final class ApiInterceptor implements Cluster {

  /** What goes over it. */
  enum InterceptedCall {
    GET,
    ANNOTATE,
    EVICT,
    REHEARSE,
    RECORD,
    CHANGE,
    UPDATE,
    DELETE,
    REPORTS
  }

  private final Cluster cluster;
  private final Leadership leadership;
  private final List<InterceptedCall> calls = new ArrayList<>();
  private final Map<InterceptedCall, Runnable> before = new HashMap<>();
  private final Map<InterceptedCall, Runnable> after = new HashMap<>();
  private final Map<String, ActionResult> answers = new LinkedHashMap<>();
  private final Map<String, NamespaceView> unwatched = new HashMap<>();
  private Consumer<PodRef> beforeEviction = _ -> {};
  private int looks;
  private boolean managersHidden;

  ApiInterceptor(Cluster cluster, Leadership leadership) {
    this.cluster = cluster;
    this.leadership = leadership;
  }

  /** Every call since the last time this was asked. */
  List<InterceptedCall> takeCalls() {
    List<InterceptedCall> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  /** Objects that are read have no managed fields from now on. */
  void hideManagers() {
    managersHidden = true;
  }

  /** Number of reads of the whole cluster so far. */
  int looks() {
    return looks;
  }

  /** Something happens once, just before the next such call arrives. */
  void before(InterceptedCall call, Runnable event) {
    before.put(call, event);
  }

  /** Something happens once, when the next such call has been answered. */
  void after(InterceptedCall call, Runnable event) {
    after.put(call, event);
  }

  /** Something happens once, just before the next call arrives, whichever it is. */
  void beforeAnything(Runnable event) {
    for (InterceptedCall call : InterceptedCall.values()) {
      before(call, () -> once(before, event));
    }
  }

  /** Something happens once, when the next call has been answered, whichever it is. */
  void afterAnything(Runnable event) {
    for (InterceptedCall call : InterceptedCall.values()) {
      after(call, () -> once(after, event));
    }
  }

  /** Sees every pod that is about to be evicted, all refusals being past. */
  void onEviction(Consumer<PodRef> witness) {
    beforeEviction = witness;
  }

  /** Answers evictions of this pod so, and lets none through. */
  void answerEviction(PodRef pod, ActionResult answer) {
    answers.put(pod.uid(), answer);
  }

  /** The API server has this namespace, and no watch has reported it yet. */
  void changeBehindTheWatch(NamespaceView namespace) {
    unwatched.put(namespace.name(), namespace);
  }

  @Override
  public ClusterView view() {
    looks++;
    return cluster.view();
  }

  @Override
  public Optional<PodView> lastKnown(PodRef pod) {
    return cluster.lastKnown(pod);
  }

  @Override
  public Optional<PodView> fresh(PodRef pod) {
    return pass(InterceptedCall.GET, () -> cluster.fresh(pod));
  }

  @Override
  public Optional<NamespaceView> freshNamespace(String name) {
    return Optional.ofNullable(unwatched.get(name)).or(() -> cluster.freshNamespace(name));
  }

  @Override
  public ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    return pass(InterceptedCall.ANNOTATE, () -> cluster.annotate(pod, changes));
  }

  @Override
  public ActionResult evict(PodView pod, boolean dryRun) {
    return pass(
        dryRun ? InterceptedCall.REHEARSE : InterceptedCall.EVICT,
        () ->
            Optional.ofNullable(answers.get(pod.ref().uid()))
                .orElseGet(() -> evictForGood(pod, dryRun)));
  }

  @Override
  public ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    return pass(
        dryRun ? InterceptedCall.REHEARSE : InterceptedCall.CHANGE,
        () -> cluster.change(changes, resourceVersion, dryRun));
  }

  @Override
  public Optional<OwnerView> freshObject(ObjectRef object, Set<String> paths) {
    return pass(InterceptedCall.GET, () -> cluster.freshObject(object, paths).map(this::asShown));
  }

  private OwnerView asShown(OwnerView view) {
    return new OwnerView(
        view.owner(),
        view.namespace(),
        view.controller(),
        view.annotations(),
        view.details()
            .map(
                known ->
                    new OwnerDetails(
                        known.resourceVersion(),
                        known.generation(),
                        known.labels(),
                        known.fields(),
                        managersHidden ? Map.of() : known.managers(),
                        known.autoscalers())));
  }

  @Override
  public RecordResult create(Reclamation record) {
    return pass(InterceptedCall.RECORD, () -> cluster.create(record));
  }

  @Override
  public RecordResult update(Reclamation record) {
    return pass(InterceptedCall.UPDATE, () -> cluster.update(record));
  }

  @Override
  public ActionResult delete(Reclamation record) {
    return pass(InterceptedCall.DELETE, () -> cluster.delete(record));
  }

  @Override
  public boolean recordEvent(ObjectRef object, Notice notice) {
    return pass(InterceptedCall.REPORTS, () -> cluster.recordEvent(object, notice));
  }

  private ActionResult evictForGood(PodView pod, boolean dryRun) {
    if (!dryRun && cluster.evict(pod, true) instanceof ActionResult.DryRun) {
      beforeEviction.accept(pod.ref());
    }
    return cluster.evict(pod, dryRun);
  }

  private <T> T pass(InterceptedCall call, Supplier<T> question) {
    if (call != InterceptedCall.GET && !leadership.isHeld()) {
      throw new AssertionError(call + " without the lease");
    }
    calls.add(call);
    Optional.ofNullable(before.remove(call)).ifPresent(Runnable::run);
    T answer = question.get();
    Optional.ofNullable(after.remove(call)).ifPresent(Runnable::run);
    return answer;
  }

  private static void once(Map<InterceptedCall, Runnable> hooks, Runnable event) {
    hooks.clear();
    event.run();
  }
}
