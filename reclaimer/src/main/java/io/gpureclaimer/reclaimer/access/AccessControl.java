package io.gpureclaimer.reclaimer.access;

import io.gpureclaimer.common.time.ExpiringCache;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.AccessReviews;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who people are and what they may see and change, as the API server decides. What may be seen is
 * kept for half a minute; what may be changed is reviewed each time. Safe for several threads.
 *
 * <p>Every method throws {@link io.gpureclaimer.reclaimer.cluster.ClusterUnreachable} when the API
 * server does not answer.
 */
public final class AccessControl {
  /** For how long a review counts. */
  public static final Duration KEPT_FOR = Duration.ofSeconds(30);

  private static final String ALL = "";
  private static final int MOST_PEOPLE = 2_000;
  private static final int MOST_REVIEWS = 20_000;

  private final AccessReviews reviews;
  private final List<String> audiences;
  private final ExpiringCache<String, Optional<ApiUser>> people;
  private final ExpiringCache<Visibility, Boolean> visible;

  /** Whether a person may see the workloads of a namespace. */
  private record Visibility(ApiUser person, String namespace) {}

  /**
   * @param audiences for one of which tokens must have been issued; none for the API server's
   */
  public AccessControl(AccessReviews reviews, List<String> audiences, MonotonicClock clock) {
    this.reviews = reviews;
    this.audiences = List.copyOf(audiences);
    this.people = new ExpiringCache<>(KEPT_FOR, MOST_PEOPLE, clock);
    this.visible = new ExpiringCache<>(KEPT_FOR, MOST_REVIEWS, clock);
  }

  /** The person of a bearer token; empty if the API server does not accept it. */
  public Optional<ApiUser> authenticate(String token) {
    return people.get(digest(token), _ -> reviews.authenticate(token, audiences));
  }

  /** Whether a person may get the pods of all namespaces. */
  public boolean maySeeAll(ApiUser person) {
    return maySee(person, ALL);
  }

  /** Whether a person may get the pods of a namespace. */
  public boolean maySee(ApiUser person, String namespace) {
    return visible.get(
        new Visibility(person, namespace),
        asked ->
            reviews.isAllowed(
                asked.person(), "get", new ObjectRef("v1", "Pod", asked.namespace(), ALL, "")));
  }

  /** Which of these namespaces a person may see. */
  public Predicate<String> visible(ApiUser person, Set<String> namespaces) {
    return namespaces.stream()
            .filter(namespace -> maySee(person, namespace))
            .collect(Collectors.toUnmodifiableSet())
        ::contains;
  }

  /** Whether a person may patch an object. */
  public boolean mayChange(ApiUser person, ObjectRef object) {
    return reviews.isAllowed(person, "patch", object);
  }

  /** A token is not kept in memory longer than its request. */
  private static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
