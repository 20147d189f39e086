package io.gpureclaimer.reclaimer.access;

import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tokens and rights in memory. Rights are {@code USER VERB KIND NAMESPACE}. */
public final class FakeReviews implements AccessReviews {
  private final Map<String, ApiUser> people = new HashMap<>();
  private final Set<String> rights = new HashSet<>();
  private final List<String> reviewed = new ArrayList<>();
  private boolean isDown;

  /** Accepts a token. */
  public FakeReviews token(String token, String user) {
    people.put(token, new ApiUser(user, "", List.of("system:authenticated"), Map.of()));
    return this;
  }

  /** Gives a right; an empty namespace means all. */
  public FakeReviews allow(String user, String verb, String kind, String namespace) {
    rights.add(String.join(" ", user, verb, kind, namespace));
    return this;
  }

  /** Takes all rights of a user. */
  public void revoke(String user) {
    rights.removeIf(right -> right.startsWith(user + " "));
  }

  /** Forgets a token. */
  public void expire(String token) {
    people.remove(token);
  }

  /** The API server stops responding, or responds again. */
  public FakeReviews down(boolean now) {
    isDown = now;
    return this;
  }

  /** The reviews so far. */
  public List<String> reviewed() {
    return List.copyOf(reviewed);
  }

  @Override
  public Optional<ApiUser> authenticate(String token, List<String> audiences) {
    requireUp();
    reviewed.add("token");
    return Optional.ofNullable(people.get(token));
  }

  @Override
  public boolean isAllowed(ApiUser person, String verb, ObjectRef object) {
    requireUp();
    String question = String.join(" ", person.name(), verb, object.kind(), object.namespace());
    reviewed.add(question.strip());
    return rights.contains(question)
        || rights.contains(String.join(" ", person.name(), verb, object.kind(), ""));
  }

  private void requireUp() {
    if (isDown) {
      throw new ClusterUnreachable("review access", "no answer");
    }
  }
}
