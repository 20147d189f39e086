package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.NamespaceSelection;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules between pods, with the results of kube-scheduler. Nodes a1 and a2 are in zone a. */
class SchedulingRulesTest {
  private static final String ZONE = "zone";
  private static final String HOST = "host";

  private final List<NodeView> nodes =
      new ArrayList<>(List.of(node("a1", "a"), node("a2", "a"), node("b1", "b")));
  private final List<Neighbor> pods = new ArrayList<>();
  private Placement placement = Placement.ANYWHERE;

  @Test
  void concernsNoPodWithoutRules_whereNoOtherPodHasAny() {
    placed("x", "a1", "web", PodRules.NONE);

    assertThat(rules(PodRules.NONE).check(demand()).isPresent()).isFalse();
    assertThat(allowed(PodRules.NONE)).containsExactly("a1", "a2", "b1");
  }

  @Test
  void antiAffinityKeepsThePodOutOfTheDomain_untilTheOtherIsGone() {
    placed("x", "a1", "web", PodRules.NONE);
    PodRules apart = apart(term("web", ZONE));

    assertThat(allowed(apart)).containsExactly("b1");
    assertThat(allowed(apart, "x")).containsExactly("a1", "a2", "b1");
    assertThat(allowed(apart(term("web", HOST)))).containsExactly("a2", "b1");
  }

  @Test
  void antiAffinityDoesNotMatter_onANodeWithoutTheLabel() {
    nodes.add(new NodeView("bare", 8, Map.of(), List.of(), true));
    placed("x", "a1", "web", PodRules.NONE);

    assertThat(allowed(apart(term("web", ZONE)))).containsExactly("b1", "bare");
  }

  @Test
  void antiAffinityOfAPodThatRunsKeepsOthersAway() {
    placed("x", "a1", "web", apart(term("new", ZONE)));
    placed("y", "b1", "web", apart(term("another", ZONE)));

    assertThat(allowed(PodRules.NONE)).containsExactly("b1");
    assertThat(allowed(PodRules.NONE, "x")).containsExactly("a1", "a2", "b1");
  }

  @Test
  void affinityBindsThePodToADomain_aslongAsTheOtherStays() {
    placed("x", "a1", "web", PodRules.NONE);
    placed("y", "b1", "web", PodRules.NONE);
    placed("z", "a2", "db", PodRules.NONE);
    PodRules near = near(term("web", ZONE));

    assertThat(allowed(near)).containsExactly("a1", "a2", "b1");
    assertThat(allowed(near, "x")).containsExactly("b1");
    assertThat(allowed(near(term("db", HOST)))).containsExactly("a2");
    assertThat(allowed(near(term("none", ZONE)))).isEmpty();
  }

  /** As in kube-scheduler: a pod counts only if all terms mean it. */
  @Test
  void affinityOfSeveralTerms_needsPodsThatAllOfThemMean() {
    placed("x", "a1", "web", PodRules.NONE);
    placed("y", "a1", "db", PodRules.NONE);

    assertThat(allowed(near(term("web", ZONE), term("db", HOST)))).isEmpty();
    assertThat(allowed(near(term("web", ZONE), term("web", HOST)))).containsExactly("a1");
  }

  @Test
  void theFirstPodOfItsKindNeedsNoOther() {
    nodes.add(new NodeView("bare", 8, Map.of(), List.of(), true));
    PodRules near = near(term("new", ZONE));

    assertThat(allowed(near)).containsExactly("a1", "a2", "b1");
    placed("x", "b1", "new", PodRules.NONE);
    assertThat(allowed(near)).containsExactly("b1");
    assertThat(allowed(near, "x")).containsExactly("a1", "a2", "b1");
  }

  @Test
  void theFirstPodOfItsKindNeedsNoOther_alsoIfOneIsOnANodeWithoutTheLabel() {
    nodes.add(new NodeView("bare", 8, Map.of(), List.of(), true));
    placed("x", "bare", "new", PodRules.NONE);

    assertThat(allowed(near(term("new", ZONE)))).containsExactly("a1", "a2", "b1");
  }

  /** It may be in a zone. */
  @Test
  void aPodOnAnUnknownNodeIsOfTheSameKind() {
    placed("x", "unknown", "new", PodRules.NONE);

    assertThat(allowed(near(term("new", ZONE)))).isEmpty();
  }

  @Test
  void termMeansPodsOfItsNamespaces() {
    pods.add(new Neighbor("x", "other", Map.of("app", "web"), Optional.of("a1"), PodRules.NONE));

    assertThat(allowed(apart(term("web", ZONE)))).containsExactly("a1", "a2", "b1");
    assertThat(allowed(apart(inNamespaces("web", Set.of("other"), Optional.empty()))))
        .containsExactly("b1");
    assertThat(allowed(apart(inNamespaces("web", Set.of(), Optional.of(List.of())))))
        .containsExactly("b1");
  }

  /** Namespace {@code other} is of team b, that of the pending pod of team a. */
  @Test
  void antiAffinityMeansPodsOfNamespacesWithTheSelectedLabels() {
    pods.add(new Neighbor("x", "other", Map.of("app", "web"), Optional.of("a1"), PodRules.NONE));

    assertThat(allowed(apart(ofTeam("web", "b")))).containsExactly("b1");
    assertThat(allowed(apart(ofTeam("web", "b")), "x")).containsExactly("a1", "a2", "b1");
    assertThat(allowed(apart(ofTeam("web", "a")))).containsExactly("a1", "a2", "b1");
  }

  @Test
  void affinityMeansPodsOfNamespacesWithTheSelectedLabels() {
    pods.add(new Neighbor("x", "other", Map.of("app", "web"), Optional.of("a1"), PodRules.NONE));

    assertThat(allowed(near(ofTeam("web", "b")))).containsExactly("a1", "a2");
    assertThat(allowed(near(ofTeam("web", "a")))).isEmpty();
  }

  @Test
  void theFirstPodOfItsKindNeedsNoOther_onlyIfItsOwnNamespaceIsSelected() {
    assertThat(allowed(near(ofTeam("new", "a")))).containsExactly("a1", "a2", "b1");
    assertThat(allowed(near(ofTeam("new", "b")))).isEmpty();
  }

  @Test
  void antiAffinityOfAPodThatRuns_keepsPodsOfSelectedNamespacesAway() {
    pods.add(new Neighbor("x", "other", Map.of(), Optional.of("a1"), apart(ofTeam("new", "a"))));
    pods.add(new Neighbor("y", "other", Map.of(), Optional.of("b1"), apart(ofTeam("new", "b"))));

    assertThat(allowed(PodRules.NONE)).containsExactly("b1");
    assertThat(allowed(PodRules.NONE, "x")).containsExactly("a1", "a2", "b1");
  }

  @Test
  void termWithoutASelectorMeansNoPod() {
    placed("x", "a1", "web", PodRules.NONE);
    var term = new PodTerm(Optional.empty(), Set.of("ml"), Optional.empty(), ZONE);

    assertThat(allowed(apart(term))).containsExactly("a1", "a2", "b1");
  }

  @Test
  void termIsKnown_unlessAnOperatorIsNot() {
    PodTerm term =
        inNamespaces("web", Set.of(), Optional.of(List.of(requirement("team", "Near", "a"))));

    assertThat(term.isKnown()).isFalse();
    assertThat(ofTeam("web", "a").isKnown()).isTrue();
    assertThat(term("web", ZONE).isKnown()).isTrue();
  }

  @Test
  void spreadAllowsDomainsThatAreNotTooFull() {
    placed("x", "a1", "new", PodRules.NONE);
    placed("y", "a2", "new", PodRules.NONE);
    placed("z", "b1", "new", PodRules.NONE);

    assertThat(allowed(spread(1, ZONE))).containsExactly("b1");
    assertThat(allowed(spread(2, ZONE))).containsExactly("a1", "a2", "b1");
    assertThat(allowed(spread(1, ZONE), "x")).containsExactly("a1", "a2", "b1");
    assertThat(allowed(spread(1, ZONE), "x", "y")).containsExactly("a1", "a2");
    assertThat(allowed(spread(1, HOST))).containsExactly("a1", "a2", "b1");
  }

  /** The victim makes the emptiest domain emptier. */
  @Test
  void spreadCountsWhatIsGoneElsewhere() {
    placed("x", "a1", "new", PodRules.NONE);
    placed("z", "b1", "new", PodRules.NONE);

    assertThat(allowed(spread(1, ZONE), "z")).containsExactly("b1");
  }

  @Test
  void spreadCountsPodsOfTheNamespaceThatTheSelectorMeans() {
    placed("x", "a1", "web", PodRules.NONE);
    pods.add(new Neighbor("y", "other", Map.of("app", "new"), Optional.of("a1"), PodRules.NONE));

    assertThat(allowed(spread(1, ZONE))).containsExactly("a1", "a2", "b1");
  }

  /** The pod itself does not count then. */
  @Test
  void spreadOfOtherPods_allowsTheSkewItself() {
    placed("x", "a1", "web", PodRules.NONE);
    var spread =
        new Spread(
            1,
            ZONE,
            Optional.of(List.of(requirement("app", "In", "web"))),
            Optional.empty(),
            true,
            false);

    assertThat(allowed(rulesOf(spread))).containsExactly("a1", "a2", "b1");
    placed("y", "a2", "web", PodRules.NONE);
    assertThat(allowed(rulesOf(spread))).containsExactly("b1");
  }

  @Test
  void spreadNeedsTheLabelOfTheNode() {
    nodes.add(new NodeView("bare", 8, Map.of(), List.of(), true));

    assertThat(allowed(spread(1, ZONE))).containsExactly("a1", "a2", "b1");
  }

  @Test
  void tooFewDomainsCountAsAnEmptyOne() {
    placed("x", "a1", "new", PodRules.NONE);
    placed("y", "b1", "new", PodRules.NONE);

    assertThat(allowed(rulesOf(minDomains(2)))).containsExactly("a1", "a2", "b1");
    assertThat(allowed(rulesOf(minDomains(3)))).isEmpty();
  }

  @Test
  void spreadLeavesNodesOutThatThePodCannotUse_ifThePolicySaysSo() {
    nodes.add(
        new NodeView(
            "c1",
            Map.of(),
            Map.of(ZONE, "c", HOST, "c1", "gpu", "no"),
            List.of(new Taint("cpu", "", "NoSchedule")),
            true));
    placed("x", "a1", "new", PodRules.NONE);
    placed("y", "b1", "new", PodRules.NONE);

    assertThat(allowed(spread(1, ZONE))).as("c is empty").containsExactly("c1");
    assertThat(allowed(rulesOf(policies(true, true)))).contains("a1", "b1");
    placement = new Placement(Map.of("gpu", "yes"), List.of(), false);
    assertThat(allowed(rulesOf(policies(true, false)))).contains("a1", "b1");
    assertThat(allowed(rulesOf(policies(false, false)))).containsExactly("c1");
  }

  @Test
  void hostPortsConflictByAddressAndProtocol() {
    placed("x", "a1", "web", ports(new HostPort("", "TCP", 80)));
    placed("y", "a2", "web", ports(new HostPort("10.0.0.1", "TCP", 80)));

    assertThat(allowed(ports(new HostPort("", "TCP", 80)))).containsExactly("b1");
    assertThat(allowed(ports(new HostPort("10.0.0.2", "TCP", 80)))).containsExactly("a2", "b1");
    assertThat(allowed(ports(new HostPort("", "UDP", 80)))).containsExactly("a1", "a2", "b1");
    assertThat(allowed(ports(new HostPort("", "TCP", 80)), "x")).containsExactly("a1", "b1");
  }

  @Test
  void placedPodsCount_andRemovedOnesDoNot() {
    PodRules apart = apart(term("new", HOST));
    pods.add(new Neighbor("sibling", "ml", Map.of("app", "new"), Optional.empty(), apart));
    SchedulingRules rules = rules(apart);

    rules.place(new PodRef("ml", "sibling", "sibling"), "a1");
    assertThat(allowed(rules, Set.of())).containsExactly("a2", "b1");

    rules.remove(workload("sibling"));
    assertThat(allowed(rules, Set.of())).containsExactly("a1", "a2", "b1");
  }

  private List<String> allowed(PodRules of, String... gone) {
    return allowed(rules(of), Set.of(gone));
  }

  private List<String> allowed(SchedulingRules rules, Set<String> gone) {
    List<Workload> workloads = gone.stream().map(SchedulingRulesTest::workload).toList();
    return nodes.stream()
        .filter(node -> rules.allow(demand(), node, workloads))
        .map(NodeView::name)
        .toList();
  }

  private static Workload workload(String uid) {
    return new Workload("ml", Optional.empty(), List.of(pod(uid).draw()));
  }

  private Demand demand() {
    return new Demand(new PodRef("ml", "w", "w"), 1, 0, NOW, placement);
  }

  private SchedulingRules rules(PodRules ofPending) {
    var selection =
        new NamespaceSelection(Map.of("ml", Map.of("team", "a"), "other", Map.of("team", "b")));
    return new SchedulingRules(
        Neighbors.of(
            Stream.concat(
                    pods.stream(),
                    Stream.of(
                        new Neighbor("w", "ml", Map.of("app", "new"), Optional.empty(), ofPending)))
                .map(selection::resolve)
                .toList(),
            nodes,
            Map.of()));
  }

  private void placed(String uid, String node, String app, PodRules rules) {
    pods.add(new Neighbor(uid, "ml", Map.of("app", app), Optional.of(node), rules));
  }

  private static NodeView node(String name, String zone) {
    return new NodeView(name, 8, Map.of(ZONE, zone, HOST, name, "gpu", "yes"), List.of(), true);
  }

  private static LabelRequirement requirement(String key, String operator, String... values) {
    return new LabelRequirement(key, operator, Set.of(values));
  }

  private static PodTerm term(String app, String key) {
    return new PodTerm(
        Optional.of(List.of(requirement("app", "In", app))), Set.of("ml"), Optional.empty(), key);
  }

  private static PodTerm inNamespaces(
      String app, Set<String> names, Optional<List<LabelRequirement>> selector) {
    return new PodTerm(Optional.of(List.of(requirement("app", "In", app))), names, selector, ZONE);
  }

  private static PodTerm ofTeam(String app, String team) {
    return inNamespaces(app, Set.of(), Optional.of(List.of(requirement("team", "In", team))));
  }

  private static PodRules near(PodTerm... terms) {
    return new PodRules(Arrays.asList(terms), List.of(), List.of(), List.of(), Optional.empty());
  }

  private static PodRules apart(PodTerm... terms) {
    return new PodRules(List.of(), Arrays.asList(terms), List.of(), List.of(), Optional.empty());
  }

  private static PodRules ports(HostPort port) {
    return new PodRules(List.of(), List.of(), List.of(), List.of(port), Optional.empty());
  }

  private static PodRules rulesOf(Spread spread) {
    return new PodRules(List.of(), List.of(), List.of(spread), List.of(), Optional.empty());
  }

  private static PodRules spread(int maxSkew, String key) {
    return rulesOf(spread(maxSkew, key, Optional.empty(), true, false));
  }

  private static Spread minDomains(int domains) {
    return spread(1, ZONE, Optional.of(domains), true, false);
  }

  private static Spread policies(boolean affinity, boolean taints) {
    return spread(1, ZONE, Optional.empty(), affinity, taints);
  }

  private static Spread spread(
      int maxSkew, String key, Optional<Integer> domains, boolean affinity, boolean taints) {
    return new Spread(
        maxSkew,
        key,
        Optional.of(List.of(requirement("app", "In", "new"))),
        domains,
        affinity,
        taints);
  }
}
