package io.gpureclaimer.exporter.attribution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimUse;
import io.gpureclaimer.exporter.attribution.ResourceClaims.KnownClaims;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ClaimFetcherIT {
  private static final PublishedDevice GPU = new PublishedDevice("node-a", "gpu-0");
  private static final ClaimAllocation HELD = new ClaimAllocation(Set.of(GPU), Set.of());
  private static final ClaimAllocation CHECKED = new ClaimAllocation(Set.of(), Set.of(GPU));

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client =
      FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);
  private Optional<String> version = Optional.of("v1");
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final ClaimFetcher claims =
      new ClaimFetcher(client, () -> version, tasks::add, nanos::get);

  @AfterEach
  void stop() {
    claims.close();
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta2", "v1beta1"})
  void knowsTheClaimsThatAreUsed_inTheVersionThatTheServerHas(String served) {
    version = Optional.of(served);
    create(served, "ml", "gpus", false);
    create(served, "monitoring", "gpus", true);
    create(served, "ml", "unused", false);
    follow(claim("ml", "gpus"), claim("monitoring", "gpus"));

    assertThat(claims.now())
        .isEqualTo(whole(Map.of(claim("ml", "gpus"), HELD, claim("monitoring", "gpus"), CHECKED)));
  }

  @Test
  void asksForNothing_thatIsKnownOrNotUsed() {
    create("v1", "ml", "gpus", false);
    follow(claim("ml", "gpus"));
    nanos.addAndGet(Duration.ofDays(1).toNanos());
    follow(claim("ml", "gpus"));

    assertThat(calls())
        .containsExactly("GET /apis/resource.k8s.io/v1/namespaces/ml/resourceclaims/gpus");
  }

  @Test
  void neverWaits_andAsksNothingElseMeanwhile() {
    create("v1", "ml", "gpus", false);
    claims.follow(uses(claim("ml", "gpus")));
    claims.follow(uses(claim("ml", "gpus")));

    assertThat(claims.now()).isEqualTo(whole(Map.of()));
    assertThat(tasks).hasSize(1);
    assertThat(calls()).isEmpty();
  }

  @Test
  void asksForNothing_untilItIsKnownInWhichVersion() {
    version = Optional.empty();
    create("v1", "ml", "gpus", false);
    follow(claim("ml", "gpus"));
    assertThat(calls()).isEmpty();

    version = Optional.of("v1");
    follow(claim("ml", "gpus"));
    assertThat(claims.now()).isEqualTo(whole(Map.of(claim("ml", "gpus"), HELD)));
  }

  @Test
  void knowsNothingOfAClaimThatIsGone_andAsksAgainLater() {
    follow(claim("ml", "gpus"));
    assertThat(claims.now()).isEqualTo(whole(Map.of(claim("ml", "gpus"), ClaimAllocation.NOTHING)));

    create("v1", "ml", "gpus", false);
    follow(claim("ml", "gpus"));
    assertThat(calls()).hasSize(1);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    follow(claim("ml", "gpus"));
    assertThat(claims.now()).isEqualTo(whole(Map.of(claim("ml", "gpus"), HELD)));
  }

  @Test
  void asksNoFurther_whenTheServerRefuses_andAsksAgainLater() {
    create("v1", "ml", "a", false);
    create("v1", "ml", "b", true);
    for (String name : List.of("a", "b")) {
      server.force("GET", path(name), 403, "resourceclaims is forbidden");
    }
    follow(claim("ml", "a"), claim("ml", "b"));
    assertThat(claims.now().claims()).isEmpty();
    assertThat(claims.now().watch())
        .isInstanceOfSatisfying(
            WatchState.NotSynced.class,
            broken -> assertThat(broken.reason()).contains("is forbidden"));
    assertThat(calls()).hasSize(1);

    server.relent("GET", path("a"));
    server.relent("GET", path("b"));
    follow(claim("ml", "a"), claim("ml", "b"));
    assertThat(calls()).hasSize(1);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    follow(claim("ml", "a"), claim("ml", "b"));
    assertThat(claims.now())
        .isEqualTo(whole(Map.of(claim("ml", "a"), HELD, claim("ml", "b"), CHECKED)));
  }

  @Test
  void keepsWhatItKnows_whenTheServerGoesAway() {
    create("v1", "ml", "gpus", true);
    follow(claim("ml", "gpus"));
    server.cutOff();
    follow(claim("ml", "gpus"), claim("ml", "new"));

    assertThat(claims.now().watch()).isInstanceOf(WatchState.NotSynced.class);
    assertThat(claims.now().claims()).isEqualTo(Map.of(claim("ml", "gpus"), CHECKED));
  }

  @Test
  void isAsWithoutAnAnswer_whenItIsNoClaim() {
    server.forceText("GET", path("gpus"), "<html>a proxy</html>");
    follow(claim("ml", "gpus"));

    assertThat(claims.now().watch()).isInstanceOf(WatchState.NotSynced.class);
    assertThat(claims.now().claims()).isEmpty();
  }

  @Test
  void forgetsWhatIsNoLongerUsed() {
    create("v1", "ml", "gpus", false);
    follow(claim("ml", "gpus"));
    follow();

    assertThat(claims.now()).isEqualTo(whole(Map.of()));
  }

  @Test
  void asksNothing_afterItWasClosed() {
    claims.close();
    follow(claim("ml", "gpus"));

    assertThat(calls()).isEmpty();
  }

  private void follow(ClaimName... names) {
    claims.follow(uses(names));
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private static Map<ClaimName, ClaimUse> uses(ClaimName... names) {
    var uses = new HashMap<ClaimName, ClaimUse>();
    for (var name : names) {
      uses.put(name, new ClaimUse(Set.of(GPU), Set.of("uid-1")));
    }
    return uses;
  }

  private static KnownClaims whole(Map<ClaimName, ClaimAllocation> known) {
    return new KnownClaims(new WatchState.Synced(), known);
  }

  private static ClaimName claim(String namespace, String name) {
    return new ClaimName(namespace, name);
  }

  private static String path(String name) {
    return "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims/" + name;
  }

  private List<String> calls() {
    return server.calls().stream().filter(call -> call.startsWith("GET ")).toList();
  }

  private void create(String apiVersion, String namespace, String name, boolean admin) {
    var object =
        Serialization.unmarshal(
            "apiVersion: resource.k8s.io/"
                + apiVersion
                + "\nkind: ResourceClaim\nmetadata: {namespace: "
                + namespace
                + ", name: "
                + name
                + "}\nstatus: {allocation: {devices: {results: [{request: r, driver: gpu.nvidia.com,"
                + " pool: node-a, device: gpu-0, adminAccess: "
                + admin
                + "}]}}}\n",
            GenericKubernetesResource.class);
    server.admin().resource(object).create();
  }
}
