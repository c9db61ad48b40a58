"""How long the large kernels take to compile, in seconds of a processor from an empty cache."""

COMPILE_SECONDS = {
    "cards.strength_kernels.tabulate_boards": 14,
    "matches.all_in_kernels.adjust_all_ins": 6,
    "matches.policy_match_kernels.play_hands": 18,
    "public.boards_kernels.find_types": 5,
    "public.boards_kernels.list_hands": 5,
    "public.boards_kernels.order_hands": 4,
    "public.deals_kernels.rank_deals": 2,
    "public.graph_kernels.expand": 12,
    "training.deal_sampling_kernels.walk_deals": 8,
    "tree.sampled_kernels.sample_iterations": 6,
    "tree.sequence_form_kernels.iterate": 5,
}
