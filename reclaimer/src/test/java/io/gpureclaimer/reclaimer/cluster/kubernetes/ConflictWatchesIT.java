package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Autoscalers of owners and disruption budgets of pods, as the API server has them. */
class ConflictWatchesIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String KEDA = "/apis/keda.sh/v1alpha1";
  private static final String HPAS = "/apis/autoscaling/v2/horizontalpodautoscalers?limit=500";
  private static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets?limit=500";
  private static final String SCALED_OBJECTS = KEDA + "/scaledobjects?limit=500";

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client,
          terms(Map.of("StatefulSet.apps", Set.of("/spec/replicas"))),
          InstantSource.system(),
          nanos::get);

  private static WatchTerms terms(Map<String, Set<String>> ownerFields) {
    return new WatchTerms(
        LIMIT, AcceleratorNames.USUAL, Set.of(), ownerFields, Optional.empty(), false);
  }

  @BeforeEach
  void setUp() {
    server.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    server.forceText("GET", KEDA, Kinds.KEDA);
    HasMetadata web =
        apply(
            """
            kind: StatefulSet
            apiVersion: apps/v1
            metadata: {namespace: ml, name: web}
            spec: {replicas: 2}
            """);
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata:
          namespace: ml
          name: web-0
          labels: {app: web}
          ownerReferences:
          - {apiVersion: apps/v1, kind: StatefulSet, name: web, uid: UID, controller: true}
        spec:
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
        status: {phase: Running}
        """
            .replace("UID", web.getMetadata().getUid()));
  }

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void attachesAutoscalersToTheirTarget_whateverItsVersion() {
    HasMetadata autoscaler = apply(horizontal("web", "web", "apps/v1beta2"));
    apply(horizontal("other", "other", "apps/v1"));

    awaited(
        view ->
            autoscalers(view)
                .equals(
                    Optional.of(
                        List.of(
                            new Autoscaler(
                                new ObjectRef(
                                    "autoscaling/v2",
                                    "HorizontalPodAutoscaler",
                                    "ml",
                                    "web",
                                    autoscaler.getMetadata().getUid()),
                                Map.of())))));
  }

  @Test
  void attachesAScaledObject_withItsPauses_insteadOfItsAutoscaler() {
    HasMetadata scaled =
        applyGeneric(
            """
            kind: ScaledObject
            apiVersion: keda.sh/v1alpha1
            metadata:
              namespace: ml
              name: web
              annotations: {team: ml, autoscaling.keda.sh/paused: 'true'}
            spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}}
            """);
    apply(
        horizontal("keda-hpa-web", "web", "apps/v1")
            .replace(
                "name: keda-hpa-web",
                "name: keda-hpa-web, ownerReferences: [{apiVersion: keda.sh/v1alpha1,"
                    + " kind: ScaledObject, name: web, uid: s, controller: true}]"));

    awaited(
        view ->
            autoscalers(view)
                .equals(
                    Optional.of(
                        List.of(
                            new Autoscaler(
                                new ObjectRef(
                                    "keda.sh/v1alpha1",
                                    "ScaledObject",
                                    "ml",
                                    "web",
                                    scaled.getMetadata().getUid()),
                                Map.of("autoscaling.keda.sh/paused", "true"))))));
  }

  @Test
  void knowsThatNothingScales_whereThereIsNoKeda() {
    server.force("GET", KEDA, 404, "the server could not find the requested resource");

    awaited(view -> autoscalers(view).equals(Optional.of(List.of())));
  }

  @Test
  void knowsThatNothingScales_whereKedaHasNoSuchKind() {
    server.forceText("GET", KEDA, Kinds.KEDA.replace("ScaledObject", "ScaledJob"));

    awaited(view -> autoscalers(view).equals(Optional.of(List.of())));
  }

  @Test
  void findsAScaledObject_whenKedaIsInstalledLater() {
    server.force("GET", KEDA, 404, "the server could not find the requested resource");
    awaited(view -> autoscalers(view).equals(Optional.of(List.of())));

    server.forceText("GET", KEDA, Kinds.KEDA);
    applyGeneric(
        """
        kind: ScaledObject
        apiVersion: keda.sh/v1alpha1
        metadata: {namespace: ml, name: web}
        spec: {scaleTargetRef: {kind: StatefulSet, name: web}}
        """);
    nanos.addAndGet(Duration.ofSeconds(61).toNanos());

    awaited(view -> autoscalers(view).filter(all -> all.size() == 1).isPresent());
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 500, 503})
  void doesNotKnowWhatScales_whenTheServerDoesNotSayWhetherThereIsKeda(int code) {
    server.force("GET", KEDA, code, "refused");

    awaited(view -> hasOwner(view) && autoscalers(view).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {HPAS, SCALED_OBJECTS})
  void doesNotKnowWhatScales_whenAnAutoscalerMustNotBeRead(String path) {
    server.force("GET", path, 403, "forbidden");

    awaited(view -> hasOwner(view) && autoscalers(view).isEmpty());
  }

  @Test
  void doesNotKnowWhatScales_whenThereAreNoSuchAutoscalers() {
    server.force("GET", HPAS, 404, "the server could not find the requested resource");

    awaited(view -> hasOwner(view) && autoscalers(view).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matchLabels: {app: web}}",
        "{}",
        "{matchExpressions: [{key: app, operator: In, values: [web, db]}]}",
        "{matchExpressions: [{key: app, operator: Exists}, {key: tier, operator: DoesNotExist}]}",
        "{matchExpressions: [{key: app, operator: NotIn, values: [db]}]}"
      })
  void knowsTheBudgetsThatSelectAPod(String selector) {
    apply(budget("web", 1, 1, selector));

    ClusterView view = awaited(seen -> budgets(seen).filter(all -> !all.isEmpty()).isPresent());

    assertThat(budgets(view)).contains(List.of(new BudgetView("web", 1, 3, 2)));
    PodView pod = view.pods().getFirst();
    assertThat(cluster.fresh(pod.ref())).contains(pod);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matchLabels: {app: web, tier: front}}",
        "{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}",
        "{matchExpressions: [{key: app, operator: DoesNotExist}]}",
        "null"
      })
  void knowsThatABudgetSelectsOtherPods(String selector) {
    apply(budget("all", 1, 1, "{}"));
    apply(budget("other", 0, 1, selector));

    ClusterView view = awaited(seen -> budgets(seen).filter(all -> !all.isEmpty()).isPresent());

    assertThat(budgets(view)).contains(List.of(new BudgetView("all", 1, 3, 2)));
  }

  @Test
  void allowsNothing_whileTheStatusIsOfAnOlderBudget() {
    apply(budget("web", 1, 0, "{}"));

    awaited(view -> budgets(view).equals(Optional.of(List.of(new BudgetView("web", 0, 3, 2)))));
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404})
  void doesNotKnowBudgets_whenTheyMustNotBeRead(int code) {
    server.force("GET", BUDGETS, code, "refused");

    awaited(view -> hasOwner(view) && budgets(view).isEmpty());
  }

  @Test
  void asksForNeither_whileNoActionChangesOwners() {
    try (var reports =
        KubernetesCluster.start(client, terms(Map.of()), InstantSource.system(), nanos::get)) {
      ClusterView view =
          await()
              .ignoreException(ClusterUnreachable.class)
              .until(reports::view, ConflictWatchesIT::hasOwner);

      assertThat(budgets(view)).isEmpty();
      assertThat(server.calls())
          .noneMatch(call -> call.contains("autoscaler") || call.contains("disruptionbudgets"));
    }
  }

  private ClusterView awaited(Predicate<ClusterView> expected) {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, expected);
  }

  private static boolean hasOwner(ClusterView view) {
    return !view.owners().isEmpty();
  }

  private static Optional<List<Autoscaler>> autoscalers(ClusterView view) {
    return view.owners().values().stream()
        .flatMap(owner -> owner.details().stream())
        .findFirst()
        .flatMap(OwnerDetails::autoscalers);
  }

  private static Optional<List<BudgetView>> budgets(ClusterView view) {
    return view.pods().stream().findFirst().flatMap(PodView::budgets);
  }

  private static String horizontal(String name, String target, String apiVersion) {
    return """
    kind: HorizontalPodAutoscaler
    apiVersion: autoscaling/v2
    metadata: {namespace: ml, name: NAME}
    spec:
      maxReplicas: 4
      scaleTargetRef: {apiVersion: VERSION, kind: StatefulSet, name: TARGET}
    """
        .replace("NAME", name)
        .replace("TARGET", target)
        .replace("VERSION", apiVersion);
  }

  private static String budget(String name, int allowed, int observed, String selector) {
    return """
    kind: PodDisruptionBudget
    apiVersion: policy/v1
    metadata: {namespace: ml, name: NAME, generation: 1}
    spec: {minAvailable: 2, selector: SELECTOR}
    status: {disruptionsAllowed: ALLOWED, observedGeneration: OBSERVED, currentHealthy: 3,
      desiredHealthy: 2, expectedPods: 3}
    """
        .replace("NAME", name)
        .replace("SELECTOR", selector)
        .replace("ALLOWED", Integer.toString(allowed))
        .replace("OBSERVED", Integer.toString(observed));
  }

  private HasMetadata apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    return server.admin().resource(item).create();
  }

  private HasMetadata applyGeneric(String yaml) {
    return server
        .admin()
        .resource(new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
        .create();
  }
}
